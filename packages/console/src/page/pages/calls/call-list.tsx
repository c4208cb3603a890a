import { callApi } from '../../api/client.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { StoredCall } from '../../../api.ts'
import { useLive } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { moveFocus } from '../../parts/move-focus.ts'
import { navigate } from '../../route.ts'
import { withToggled } from './call-filter.ts'
import { CallRow } from './call-row.tsx'
import type { useCalls } from './use-calls.ts'

interface CallListProps {
  label: string
  calls: ReturnType<typeof useCalls>
  open: readonly string[]
  pathWith: (opened: string) => string
  titles?: ReadonlyMap<string, string | null>
  /** The reason why there are no calls. */
  empty: string
  children: ComponentChildren
}

/** Calls, newest first, with those that arrived since, and more of the older ones. */
export function CallList({ label, calls, open, pathWith, titles, empty, children }: CallListProps) {
  const { list, isLoading, failure } = calls
  const hasCalls = list.calls.length > 0
  const newCount = list.waiting.length
  return (
    <>
      <Failure failure={failure} onRetry={calls.reload} />
      <section class={`call-list ${isLoading ? 'is-loading' : ''}`} aria-label={label} aria-busy={isLoading}>
        <div class="new-calls" role="status">
          {(newCount > 0 || list.isOutdated) && (
            <button
              type="button"
              class="button-primary"
              onClick={() => {
                calls.showNew()
                scrollTo({ top: 0 })
              }}
            >
              {newCount > 0 ? `${newCount} new` : 'Show new calls'}
            </button>
          )}
        </div>
        {hasCalls && (
          <p class="call-heads muted" aria-hidden="true">
            {['Started', 'Status', 'Tool', 'Ran', 'Session'].map((name) => (
              <span key={name}>{name}</span>
            ))}
          </p>
        )}
        <ul onKeyDown={(event) => moveFocus(event, 'button.call-head')}>
          {list.calls.map((call) => (
            <CallRow
              key={call.id}
              call={call}
              sessionTitle={titles?.get(call.sessionId ?? '')}
              isOpen={open.includes(call.id)}
              onToggle={({ id }) => navigate(pathWith(withToggled(open, id)))}
            />
          ))}
        </ul>
        {isLoading && !hasCalls && <p class="loading">Loading…</p>}
        {!isLoading && failure === undefined && !hasCalls && <Empty title={empty}>{children}</Empty>}
        {calls.hasOlder && <Older isLoading={calls.isLoadingOlder} onWanted={calls.loadOlder} />}
      </section>
    </>
  )
}

/** Pressed, or scrolled into view. */
function Older({ isLoading, onWanted }: { isLoading: boolean; onWanted: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const latest = useRef(onWanted)
  latest.current = onWanted
  useEffect(() => {
    if (button.current === null || isLoading) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isLoading])
  return (
    <button ref={button} type="button" class="older" disabled={isLoading} onClick={onWanted}>
      {isLoading ? 'Loading…' : 'Load older'}
    </button>
  )
}

/** A call that the address names. It need not be in the list. */
export function OneCall({ id, closed }: { id: string; closed: string }) {
  const loaded = useLoaded<StoredCall>(callApi(id))
  useLive('calls', ({ calls }) => {
    if (calls.some((call) => call.id === id)) loaded.reload()
  })
  useLive('reopened', loaded.reload)
  return (
    <section class="column one-call" aria-label="One call">
      <div class="section-head">
        <h2>One call</h2>
        <Link to={closed}>Close</Link>
      </div>
      <Loading of={loaded}>
        {(call) => (
          <ul>
            <CallRow call={call} isOpen onToggle={() => navigate(closed)} />
          </ul>
        )}
      </Loading>
    </section>
  )
}
