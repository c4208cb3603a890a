import type { CallSummary } from '@ostler/agent-api/manage'

type TimedCall = Pick<CallSummary, 'seq' | 'startedAt' | 'endedAt' | 'durationMs'>

export interface TimelineBar<T> {
  readonly call: T
  readonly offsetMs: number
  readonly fromPercent: number
  readonly widthPercent: number
}

/** Minimum visible width. */
const widthPercentMin = 0.6

/** Sorts calls by start and places each between the first start and the last end. A running call ends now. */
export function toTimeline<T extends TimedCall>(
  calls: readonly T[],
  now: number,
): { readonly bars: readonly TimelineBar<T>[]; readonly spanMs: number } {
  const timed = calls
    .toSorted((one, other) => one.seq - other.seq)
    .map((call) => ({ call, start: Date.parse(call.startedAt), length: lengthOf(call, now) }))
  const first = Math.min(...timed.map(({ start }) => start))
  const spanMs = timed.length === 0 ? 0 : Math.max(...timed.map(({ start, length }) => start + length)) - first
  const percent = (ms: number) => (spanMs === 0 ? 0 : (100 * ms) / spanMs)
  const bars = timed.map(({ call, start, length }) => {
    const widthPercent = Math.min(Math.max(percent(length), widthPercentMin), 100)
    return { call, offsetMs: start - first, fromPercent: Math.min(percent(start - first), 100 - widthPercent), widthPercent }
  })
  return { bars, spanMs }
}

function lengthOf({ startedAt, endedAt, durationMs }: TimedCall, now: number): number {
  return Math.max(durationMs ?? (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt), 0)
}
