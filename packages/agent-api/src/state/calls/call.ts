import { z } from 'zod'
import type { SessionId, ToolCallId } from '../../base/ids.ts'
import type { FenceReport } from '../../messages/fence-report.ts'
import type { ToolCallEnd } from '../../messages/message.ts'
import type { ToolResult } from '../../messages/tool.ts'
import type { Rule } from '../../policy/decision-rule.ts'

/** `pending` until decided, then `running`. `interrupted` if the process ended before the call. */
export const callStatuses = [
  'pending',
  'running',
  'success',
  'error',
  'denied',
  'cancelled',
  'interrupted',
] as const
export type CallStatus = (typeof callStatuses)[number]
export type CallEnd = Exclude<CallStatus, 'pending' | 'running' | 'interrupted'>

/** Unknown tools and invalid arguments count as errors in the history. */
export function toCallEnd(end: ToolCallEnd): CallEnd {
  return end === 'unknown' || end === 'invalid' ? 'error' : end
}

/** Says what is known of a call whose process was killed. */
export function textOfInterrupted(hasRun: boolean): string {
  return hasRun
    ? 'Ostler ended before this call did. It may have run.'
    : 'Ostler ended before this call started. Nothing was run.'
}

export interface CallStart {
  readonly id: ToolCallId
  readonly server: string | null
  readonly serverId?: string | undefined
  readonly tool: string
  readonly arguments: unknown
  /** Set if no rule needs to decide, because there is no such tool. */
  readonly rule?: Rule | undefined
}

export interface CallRecorder {
  /** Settles once the row is written, or cannot be written for now. History never holds up a call for long and never fails it. */
  start(call: CallStart): Promise<CallRecord>
}

export interface CallRecord {
  /** `args`: the person changed the arguments. */
  decided(decision: string, rule: Rule, args?: unknown): void
  running(fence?: FenceReport): void
  /** `askedMs`: how long the server waited for a person's answers, if no row says so. */
  ended(status: CallEnd, result: ToolResult, askedMs?: number): void
}

export const callSummarySchema = z.object({
  /** Increases over time. */
  seq: z.number(),
  /** Increases with every change of a row. */
  change: z.number(),
  id: z.string(),
  agent: z.string(),
  sessionId: z.string().nullable(),
  turn: z.number().nullable(),
  /** Null for a local tool and for a tool that does not exist. */
  server: z.string().nullable(),
  tool: z.string(),
  status: z.enum(callStatuses),
  decision: z.string().nullable(),
  rule: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** From start to end, including the wait. Measured with a monotonic clock. */
  durationMs: z.number().nullable(),
  /** The time before the call ran: it waited for a person's answer and for a free slot. Null if it did not run. */
  waitedMs: z.number().nullable(),
  /** Of the complete result. Only part of it may be stored. */
  resultBytes: z.number().nullable(),
  error: z.string().nullable(),
  /** The beginning of the arguments, or the server that an action in the console was about. Null if they are long. */
  about: z.string().nullable(),
})
export type CallSummary = Readonly<z.output<typeof callSummarySchema>>

export interface StoredCall extends CallSummary {
  /** Null also for a server of the same name that an editor has brought. */
  readonly serverId: string | null
  /** The fence in which it ran, in words. Null if no setting asked for one. */
  readonly fence: string | null
  readonly arguments: unknown
  readonly result: Pick<ToolResult, 'content' | 'structured'> | null
}

export interface CallFilter {
  readonly agent?: string
  readonly sessionId?: SessionId
  /** Requires `sessionId`. */
  readonly turn?: number
  readonly server?: string | null
  readonly tool?: string
  readonly status?: CallStatus
  /** Inclusive, in ISO 8601. */
  readonly since?: string
  /** Exclusive. */
  readonly until?: string
  /**
   * Words that must all occur in the names, arguments, result or error. If no call has them all, the last one may be a prefix. Only ended
   * calls can be found by their words.
   */
  readonly text?: string
}

export interface CallQuery extends CallFilter {
  readonly before?: number
  /** Oldest first. */
  readonly after?: number
  /** In the order of the changes. */
  readonly changedAfter?: number
  readonly limit: number
}

export interface CalledServer {
  readonly server: string | null
  readonly tools: readonly string[]
}

export interface StatisticsQuery {
  readonly agent?: string
  readonly since?: string
  readonly until?: string
  readonly server?: string | null
  readonly by?: 'server' | 'tool'
}

/** Ended calls of one server, or one tool, on one day (UTC). */
export interface CallStatistics {
  readonly day: string
  readonly server: string | null
  readonly tool: string | null
  readonly calls: number
  /** Calls that ended as `error` or `interrupted`. */
  readonly errors: number
  readonly denied: number
  /** Of the time that calls ran, without waiting. Null if none ran. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

/** Without the waits for a person or a free slot. Null if the call did not run, or has not ended. */
export function toRanMs({
  status,
  durationMs,
  waitedMs,
}: Pick<CallSummary, 'status' | 'durationMs' | 'waitedMs'>): number | null {
  const hasRun = waitedMs === null ? status === 'success' || status === 'error' : waitedMs !== durationMs
  return durationMs !== null && hasRun ? durationMs - (waitedMs ?? 0) : null
}
