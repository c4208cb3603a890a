import type { ServerView } from '../../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Link } from '../../parts/link.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { navigate, toPath } from '../../route.ts'
import { CallRow } from '../calls/call-row.tsx'
import { OneCall } from '../calls/one-call.tsx'
import { parseOpenCalls, withToggled } from '../calls/open-calls.ts'
import { useCalls } from '../calls/use-calls.ts'
import { serverPath } from '../../server-path.ts'

/** The calls of one server, by all agents and by the person. */
export function ServerCalls({ server, query }: { readonly server: ServerView; readonly query: URLSearchParams }) {
  const open = parseOpenCalls(query)
  const { list, failure, isLoading, hasOlder, isLoadingOlder, loadOlder, showNew, reload } = useCalls(
    { server: server.name },
    () => open.length > 0,
  )
  const count = list.waiting.length
  const pathWith = (opened: string) => serverPath(server, 'calls', { open: opened })
  // An opened call is in the address of the page, and is shown again even if it is not among the newest.
  const missing = isLoading ? undefined : open.find((one) => !list.calls.some((call) => call.id === one))
  return (
    <section class="call-list" aria-label={`Calls of ${server.name}`} aria-busy={isLoading}>
      <p class="toolbar">
        <Link class="button button-small" to={toPath('/calls', { server: server.name })}>
          Search, filter and export these calls
        </Link>
      </p>
      {missing !== undefined && <OneCall id={missing} closed={pathWith(withToggled(open, missing))} />}
      <Failure failure={failure} onRetry={reload} />
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
            isOpen={open.includes(call.id)}
            onToggle={({ id }) => navigate(pathWith(withToggled(open, id)))}
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
