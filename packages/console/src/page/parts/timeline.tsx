import { formatDuration } from '@ostler/agent-api/browser'
import type { CallStatus, CallSummary } from '../../api.ts'
import { toPath } from '../route.ts'
import { noticedWaitMs, statusWords } from '../text/call-status.ts'
import { toTimeline, type TimelineBar } from '../text/to-timeline.ts'
import { Link } from './link.tsx'
import { useWaiting } from './open-questions.ts'
import { useNow } from './time.tsx'

const tickMs = 500

/** A bar for each call, from its start to its end. The time before it ran is a thin line. Bars of open calls grow. */
export function Timeline({ calls, current }: { calls: readonly CallSummary[]; current?: string }) {
  const isLive = calls.some(({ endedAt }) => endedAt === null)
  const now = useNow(isLive, tickMs)
  const { bars, spanMs } = toTimeline(calls, now)
  return (
    <div class="column timeline">
      <ol tabIndex={0} aria-label="Timeline of calls">
        {bars.map((bar) => (
          <li key={bar.call.id} class={bar.call.id === current ? 'is-current' : undefined}>
            <span class="timeline-name">
              <Link to={toPath('/calls', { id: bar.call.id })}>
                <code>{bar.call.tool}</code>
              </Link>
            </span>
            <Bar bar={bar} />
            <span class="timeline-time">
              {bar.ranMs === null || bar.call.durationMs === null
                ? statusWords[bar.call.status]
                : formatDuration(bar.ranMs)}
            </span>
          </li>
        ))}
      </ol>
      <Legend bars={bars} />
      <p class="muted">
        {formatDuration(spanMs)} {isLive ? 'so far' : 'in total'}
      </p>
    </div>
  )
}

const ends = [
  ['running', 'running', ['pending', 'running']],
  ['success', 'succeeded', ['success']],
  ['error', 'failed or interrupted', ['error', 'interrupted']],
  ['cancelled', 'cancelled', ['denied', 'cancelled']],
] as const satisfies readonly (readonly [string, string, readonly CallStatus[]])[]

function Legend({ bars }: { bars: readonly TimelineBar<CallSummary>[] }) {
  const hasWait = bars.some(({ waitedMs }) => waitedMs > 0)
  const ran = bars.flatMap(({ ranMs, call }) => (ranMs === null ? [] : [call.status]))
  const shown = ends.filter(([, , statuses]) =>
    ran.some((status) => statuses.some((each) => each === status)),
  )
  return (
    <ul class="timeline-legend muted" aria-label="Legend">
      {hasWait && (
        <li>
          <span class="timeline-key timeline-key-wait" aria-hidden="true" />
          waiting (for you, a free slot, or its server)
        </li>
      )}
      {shown.map(([key, text]) => (
        <li key={key}>
          <span class={`timeline-key timeline-key-${key}`} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  )
}

function Bar({
  bar: { call, offsetMs, fromPercent, widthPercent, waitPercent, waitedMs, ranMs },
}: {
  bar: TimelineBar<CallSummary>
}) {
  const { describe } = useWaiting()
  const parts = [
    `${describe(call)}, from ${formatDuration(offsetMs)}`,
    ...(waitedMs >= noticedWaitMs ? [`waited ${formatDuration(waitedMs)}`] : []),
    ...(ranMs === null ? [] : [`ran ${formatDuration(ranMs)}`]),
  ]
  const wait = Math.min(waitPercent, widthPercent)
  return (
    <svg class="timeline-bar" role="img" aria-label={parts.join(', ')}>
      <rect class="timeline-track" width="100%" height="100%" rx="2" />
      <rect class="timeline-wait" x={`${fromPercent}%`} y="30%" width={`${wait}%`} height="40%" />
      {ranMs !== null && (
        <rect
          class={`timeline-call timeline-${call.status}`}
          x={`${fromPercent + wait}%`}
          width={`${Math.max(widthPercent - wait, 0.3)}%`}
          height="100%"
          rx="2"
        />
      )}
    </svg>
  )
}
