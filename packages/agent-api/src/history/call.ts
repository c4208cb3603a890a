import type { SessionId, ToolCallId } from '../ids.ts'
import type { ToolResult } from '../tools/tool.ts'

/** `pending` until it is decided, then `running`; `interrupted` when its process ended before the call did. */
export const callStatuses = ['pending', 'running', 'success', 'error', 'denied', 'cancelled', 'interrupted'] as const
export type CallStatus = (typeof callStatuses)[number]
export type CallEnd = Exclude<CallStatus, 'pending' | 'running' | 'interrupted'>

/** A call as it is told before anything of it has happened. */
export interface CallStart {
  readonly id: ToolCallId
  /** Null for a tool that lives in this process, and for one that does not exist. */
  readonly server: string | null
  readonly tool: string
  readonly arguments: unknown
}

/** Takes note of the calls of one agent, of one session where they have one. */
export interface CallRecorder {
  /** Settles when the row is there, or cannot be for now: history never holds up a call for long, and never fails one. */
  start(call: CallStart): Promise<CallRecord>
}

/** The row of a call that is under way. */
export interface CallRecord {
  decided(decision: string, rule: string): void
  running(): void
  ended(status: CallEnd, result: ToolResult): void
}

/** For those who keep no history. */
export const noCallRecorder: CallRecorder = {
  start: () => Promise.resolve({ decided() {}, running() {}, ended() {} }),
}

export interface CallSummary {
  /** Grows with time; what paging goes by. */
  readonly seq: number
  readonly id: ToolCallId
  readonly agent: string
  readonly sessionId: SessionId | null
  /** Which prompt of the session it belongs to, counted from 1. */
  readonly turn: number | null
  readonly server: string | null
  readonly tool: string
  readonly status: CallStatus
  /** What became of the question whether it may run, and the rule that answered it. */
  readonly decision: string | null
  readonly rule: string | null
  readonly startedAt: string
  readonly endedAt: string | null
  /** By a clock that nobody sets. */
  readonly durationMs: number | null
  readonly error: string | null
}

export interface StoredCall extends CallSummary {
  readonly arguments: unknown
  /** As much of it as is kept. */
  readonly result: StoredResult | null
  /** How large it was. */
  readonly resultBytes: number | null
}

export type StoredResult = Pick<ToolResult, 'content' | 'structured'>

export interface CallQuery {
  readonly sessionId?: SessionId
  readonly turn?: number
  readonly server?: string
  readonly tool?: string
  readonly status?: CallStatus
  /** ISO 8601. */
  readonly since?: string
  readonly until?: string
  /** Words that must all be in it: names, arguments, result or error. */
  readonly text?: string
  /** Only what came before this `seq`. */
  readonly before?: number
  /** Only what came after it, oldest first. */
  readonly after?: number
  readonly limit: number
}
