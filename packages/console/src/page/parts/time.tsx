import { formatFullTime, formatTime } from '../text/time.ts'

export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {formatTime(at)}
    </time>
  )
}
