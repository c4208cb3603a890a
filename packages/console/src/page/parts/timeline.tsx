import type { CallSummary } from '@ostler/agent-api/manage'
import { describeStatus } from '../text/call-status.ts'
import { noticedWaitMs } from '../text/call-times.ts'
import { formatDuration } from '../text/quantities.ts'
import { toTimeline, type TimelineBar } from '../text/to-timeline.ts'

/** One bar per call, from its start to its end. The time before it ran is a thin line. */
export function Timeline({ calls, current }: { readonly calls: readonly CallSummary[]; readonly current?: string }) {
  const { bars, spanMs } = toTimeline(calls, Date.now())
  return (
    <div class="timeline">
      <ol tabIndex={0} aria-label="Timeline of calls">
        {bars.map((bar) => (
          <li key={bar.call.id} class={bar.call.id === current ? 'is-current' : undefined}>
            <span class="timeline-name">
              <code>{bar.call.tool}</code>
            </span>
            <Bar bar={bar} />
            <span class="timeline-time">
              {bar.ranMs === null || bar.call.durationMs === null ? describeStatus(bar.call) : formatDuration(bar.ranMs)}
            </span>
          </li>
        ))}
      </ol>
      <p class="muted">{formatDuration(spanMs)} total</p>
    </div>
  )
}

function Bar({
  bar: { call, offsetMs, fromPercent, widthPercent, waitPercent, waitedMs, ranMs },
}: {
  readonly bar: TimelineBar<CallSummary>
}) {
  const parts = [
    `${describeStatus(call)}, from ${formatDuration(offsetMs)}`,
    ...(waitedMs >= noticedWaitMs ? [`waited ${formatDuration(waitedMs)}`] : []),
    ...(ranMs === null ? [] : [`ran ${formatDuration(ranMs)}`]),
  ]
  const wait = Math.min(waitPercent, widthPercent)
  return (
    <svg class="timeline-bar" role="img" aria-label={parts.join(', ')}>
      <rect class="timeline-track" width="100%" height="100%" rx="2" />
      <rect class="timeline-wait" x={`${fromPercent}%`} y="40%" width={`${wait}%`} height="20%" />
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
