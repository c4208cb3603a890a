import type { DayValue } from './to-call-series.ts'
import { counted } from '../../text/quantities.ts'
import { formatDay } from '../../text/time.ts'

const height = 32
const barWidth = 8

/** Calls per day, with failed calls at the bottom of each bar. */
export function DayBars({
  days,
  callsMax,
  label,
}: {
  readonly days: readonly DayValue[]
  readonly callsMax: number
  readonly label: string
}) {
  const scale = (count: number) => (count === 0 ? 0 : Math.max((count / Math.max(callsMax, 1)) * height, 1.5))
  return (
    <svg class="day-bars" viewBox={`0 0 ${days.length * barWidth} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {days.map(({ day, calls, errors }, index) => {
        const whole = scale(calls)
        const failed = Math.min(scale(errors), whole)
        const x = index * barWidth + 1
        return (
          <g key={day}>
            <title>{`${formatDay(day)}: ${counted(calls, 'call')}, ${counted(errors, 'error')}`}</title>
            <rect class="bar-space" x={index * barWidth} y={0} width={barWidth} height={height} />
            <rect class="bar-calls" x={x} y={height - whole} width={barWidth - 2} height={whole} />
            <rect class="bar-errors" x={x} y={height - failed} width={barWidth - 2} height={failed} />
          </g>
        )
      })}
    </svg>
  )
}
