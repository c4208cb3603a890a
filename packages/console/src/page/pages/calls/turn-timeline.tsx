import { useLive } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import type { CallPage } from '../../../api.ts'
import { Timeline } from '../../parts/timeline.tsx'
import { toPath } from '../../route.ts'

const callsMax = 200

/** Shows when the calls of a turn ran, and updates itself. */
export function TurnTimeline({
  sessionId,
  turn,
  current,
}: {
  readonly sessionId: string
  readonly turn: number
  readonly current: string
}) {
  const { data, reload } = useLoaded<CallPage>(toPath('/api/calls', { session: sessionId, turn, limit: callsMax }))
  useLive('calls', ({ calls }) => {
    if (calls.some((call) => call.sessionId === sessionId && call.turn === turn)) reload()
  })
  if (data === undefined || data.calls.length < 2) return null
  return (
    <section aria-label={`Turn ${turn}`}>
      <h2>Turn {turn}</h2>
      <Timeline calls={data.calls} current={current} />
    </section>
  )
}
