import type { CallSummary } from './call.ts'

/** The duration of a call, without its waits for a person or a free slot. Null if it did not run, or has not ended. */
export function toRanMs({
  status,
  durationMs,
  waitedMs,
}: Pick<CallSummary, 'status' | 'durationMs' | 'waitedMs'>): number | null {
  const hasRun = waitedMs === null ? status === 'success' || status === 'error' : waitedMs !== durationMs
  return durationMs !== null && hasRun ? durationMs - (waitedMs ?? 0) : null
}
