import type { CallStatus, CallSummary } from '../../api.ts'
import { parseRule, statusOfCall, type TranscriptCall } from '@ostler/agent-api/browser'

/** The words for the status of a call, the same on every page. Addresses and exports keep the codes. */
export const statusWords: Readonly<Record<CallStatus, string>> = {
  pending: 'Waiting',
  running: 'Running',
  success: 'Succeeded',
  error: 'Failed',
  denied: 'Denied',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
}

export function describeEnd(end: NonNullable<TranscriptCall['end']>): string {
  return statusWords[statusOfCall({ status: 'completed', end })]
}

/** True for a question of a server to the person: a form, or a page to open. The history keeps it like a call. */
export function isQuestion({ server, tool }: Pick<CallSummary, 'server' | 'tool'>): boolean {
  return server !== null && tool === 'elicitation'
}

/** True for whatever a server asks. Nobody can call it again. */
export function isServerRequest(call: Pick<CallSummary, 'server' | 'tool'>): boolean {
  return isQuestion(call) || (call.server !== null && call.tool === 'sampling')
}

export interface CallTimes {
  /** Before it ran: waiting for a person's answer and for a free slot. */
  readonly waitedMs: number
  readonly ranMs: number | null
}

type TimedCall = Pick<CallSummary, 'status' | 'rule' | 'startedAt' | 'endedAt' | 'durationMs' | 'waitedMs'>

/** Separates waiting from running. An open call ends now, an interrupted one when its end was noticed. A question to the person only waits. */
export function toCallTimes(
  { status, rule, startedAt, endedAt, durationMs, waitedMs }: TimedCall,
  now: number,
): CallTimes {
  const wholeMs = Math.max(
    durationMs ?? (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt),
    0,
  )
  if (rule !== null && parseRule(rule).by === 'answer') return { waitedMs: wholeMs, ranMs: null }
  if (waitedMs !== null) return { waitedMs, ranMs: Math.max(wholeMs - waitedMs, 0) }
  const hasNotRun = status !== 'running' && status !== 'success' && status !== 'error'
  return hasNotRun ? { waitedMs: wholeMs, ranMs: null } : { waitedMs: 0, ranMs: wholeMs }
}

/** Shorter waits are not mentioned. */
export const noticedWaitMs = 500
