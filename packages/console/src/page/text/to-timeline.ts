import type { CallSummary } from '../../api.ts'
import { type CallTimes, toCallTimes } from './call-status.ts'

type TimedCall = Pick<
  CallSummary,
  'seq' | 'status' | 'rule' | 'startedAt' | 'endedAt' | 'durationMs' | 'waitedMs'
>

export interface TimelineBar<T> extends CallTimes {
  readonly call: T
  readonly offsetMs: number
  readonly fromPercent: number
  readonly widthPercent: number
  readonly waitPercent: number
}

const widthPercentMin = 0.6

/** Sorts calls by start and places each between the first start and the last end. An open call ends now. */
export function toTimeline<T extends TimedCall>(
  calls: readonly T[],
  now: number,
): { readonly bars: readonly TimelineBar<T>[]; readonly spanMs: number } {
  const timed = calls
    .toSorted((one, other) => one.seq - other.seq)
    .map((call) => {
      const times = toCallTimes(call, now)
      return { call, times, start: Date.parse(call.startedAt), length: times.waitedMs + (times.ranMs ?? 0) }
    })
  const first = Math.min(...timed.map(({ start }) => start))
  const spanMs =
    timed.length === 0 ? 0 : Math.max(...timed.map(({ start, length }) => start + length)) - first
  const percent = (ms: number) => (spanMs === 0 ? 0 : (100 * ms) / spanMs)
  const bars = timed.map(({ call, times, start, length }) => {
    const widthPercent = Math.min(Math.max(percent(length), widthPercentMin), 100)
    const fromPercent = Math.min(percent(start - first), 100 - widthPercent)
    return {
      call,
      ...times,
      offsetMs: start - first,
      fromPercent,
      widthPercent,
      waitPercent: percent(times.waitedMs),
    }
  })
  return { bars, spanMs }
}
