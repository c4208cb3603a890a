import { useState } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Link } from '../../parts/link.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { toPath } from '../../route.ts'
import { CallRow } from '../calls/call-row.tsx'
import { useCalls } from '../calls/use-calls.ts'

/** The calls of one server, by all agents and by the person. */
export function ServerCalls({ server }: { readonly server: ServerView }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { list, failure, isLoading, hasOlder, isLoadingOlder, loadOlder, showNew, reload } = useCalls(
    { server: server.name },
    () => open.size > 0,
  )
  const count = list.waiting.length
  return (
    <section class="call-list" aria-label={`Calls of ${server.name}`} aria-busy={isLoading}>
      <p class="toolbar">
        <Link class="button button-small" to={toPath('/calls', { server: server.name })}>
          Search, filter and export these calls
        </Link>
      </p>
      {failure !== undefined && <Failure failure={failure} onRetry={reload} />}
      {(count > 0 || list.isOutdated) && (
        <button type="button" class="button-primary" onClick={showNew}>
          {count > 0 ? `${count} new` : 'Show new calls'}
        </button>
      )}
      <ul onKeyDown={(event) => moveFocus(event, 'button.call-head')}>
        {list.calls.map((call) => (
          <CallRow
            key={call.id}
            call={call}
            isOpen={open.has(call.id)}
            onToggle={({ id }) => setOpen((last) => new Set(last.has(id) ? [...last].filter((other) => other !== id) : [...last, id]))}
          />
        ))}
      </ul>
      {!isLoading && failure === undefined && list.calls.length === 0 && (
        <Empty title="No calls yet">
          <p>Calls of this server appear here when an agent makes one, or when you try a tool.</p>
        </Empty>
      )}
      {hasOlder && (
        <button type="button" class="older" disabled={isLoadingOlder} onClick={loadOlder}>
          {isLoadingOlder ? 'Loading…' : 'Load older'}
        </button>
      )}
    </section>
  )
}
