import type { DayValue } from './to-call-series.ts'
import { formatDuration } from '../../text/quantities.ts'
import { formatDay } from '../../text/time.ts'
import { toPoints } from '../../text/to-points.ts'

const height = 32
const dayWidth = 8

/** p50 and p95 per day as lines. A day without calls leaves a gap. */
export function DayLines({ days, label }: { readonly days: readonly DayValue[]; readonly label: string }) {
  const top = Math.max(...days.map(({ p95Ms }) => p95Ms ?? 0), 1)
  const lines = [
    [
      'line-p95',
      toPoints(
        days.map(({ p95Ms }) => p95Ms),
        top,
        dayWidth,
        height,
      ),
    ],
    [
      'line-p50',
      toPoints(
        days.map(({ p50Ms }) => p50Ms),
        top,
        dayWidth,
        height,
      ),
    ],
  ] as const
  return (
    <svg class="day-lines" viewBox={`0 0 ${days.length * dayWidth} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {lines.map(([name, path]) => (
        <path key={name} class={name} d={path} />
      ))}
      {days.map(({ day, p50Ms, p95Ms }, index) => (
        <rect key={day} class="bar-space" x={index * dayWidth} y={0} width={dayWidth} height={height}>
          <title>
            {p50Ms === null
              ? `${formatDay(day)}: no calls`
              : `${formatDay(day)}: p50 ${formatDuration(p50Ms)}, p95 ${formatDuration(p95Ms ?? p50Ms)}`}
          </title>
        </rect>
      ))}
    </svg>
  )
}
