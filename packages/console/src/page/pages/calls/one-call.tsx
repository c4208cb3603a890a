import type { CallDetail } from '../../../api.ts'
import { useLive, useReopened } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Link } from '../../parts/link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { navigate } from '../../route.ts'
import { CallRow } from './call-row.tsx'

interface OneCallProps {
  readonly id: string
  /** The address without this call. */
  readonly closed: string
}

/** A call that the address names. It need not be in the list. */
export function OneCall({ id, closed }: OneCallProps) {
  const loaded = useLoaded<CallDetail>(`/api/calls/${encodeURIComponent(id)}`)
  useLive('calls', ({ calls }) => {
    if (calls.some((call) => call.id === id)) loaded.reload()
  })
  useReopened(loaded.reload)
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
