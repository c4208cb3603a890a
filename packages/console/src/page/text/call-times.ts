import type { CallSummary } from '@ostler/agent-api/manage'

export interface CallTimes {
  /** Before it ran: waiting for a person's answer and for a free slot. */
  readonly waitedMs: number
  /** Null if it has not run. */
  readonly ranMs: number | null
}

type TimedCall = Pick<CallSummary, 'status' | 'rule' | 'startedAt' | 'endedAt' | 'durationMs' | 'waitedMs'>

/** Separates waiting from running. An open call ends now, an interrupted one when its end was noticed. A question to the person only waits. */
export function toCallTimes({ status, rule, startedAt, endedAt, durationMs, waitedMs }: TimedCall, now: number): CallTimes {
  const wholeMs = Math.max(durationMs ?? (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt), 0)
  if (rule?.startsWith('answer:') === true) return { waitedMs: wholeMs, ranMs: null }
  if (waitedMs !== null) return { waitedMs, ranMs: Math.max(wholeMs - waitedMs, 0) }
  const hasNotRun = status !== 'running' && status !== 'success' && status !== 'error'
  return hasNotRun ? { waitedMs: wholeMs, ranMs: null } : { waitedMs: 0, ranMs: wholeMs }
}

/** Shorter waits are not mentioned. */
export const noticedWaitMs = 500
