import type { CallSummary } from '@ostler/agent-api/manage'
import { formatDuration } from '../text/quantities.ts'
import { toTimeline } from '../text/to-timeline.ts'

/** One bar per call, from its start to its end. */
export function Timeline({ calls, current }: { readonly calls: readonly CallSummary[]; readonly current?: string }) {
  const { bars, spanMs } = toTimeline(calls, Date.now())
  return (
    <div class="timeline">
      <ol tabIndex={0} aria-label="Timeline of calls">
        {bars.map(({ call, fromPercent, widthPercent, offsetMs }) => (
          <li key={call.id} class={call.id === current ? 'is-current' : undefined}>
            <span class="timeline-name">
              <code>{call.tool}</code>
            </span>
            <svg
              class="timeline-bar"
              role="img"
              aria-label={`${call.status}, from ${formatDuration(offsetMs)}${call.durationMs === null ? '' : `, for ${formatDuration(call.durationMs)}`}`}
            >
              <rect class="timeline-track" width="100%" height="100%" rx="2" />
              <rect class={`timeline-call timeline-${call.status}`} x={`${fromPercent}%`} width={`${widthPercent}%`} height="100%" rx="2" />
            </svg>
            <span class="timeline-time">{call.durationMs === null ? call.status : formatDuration(call.durationMs)}</span>
          </li>
        ))}
      </ol>
      <p class="muted">{formatDuration(spanMs)} total</p>
    </div>
  )
}
