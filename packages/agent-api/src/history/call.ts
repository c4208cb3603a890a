import type { SessionId, ToolCallId } from '../base/ids.ts'
import type { ToolCallEnd } from '../messages/message.ts'
import type { ToolResult } from '../messages/tool.ts'

/** `pending` until it is decided, then `running`; `interrupted` when its process ended before the call did. */
export const callStatuses = ['pending', 'running', 'success', 'error', 'denied', 'cancelled', 'interrupted'] as const
export type CallStatus = (typeof callStatuses)[number]
export type CallEnd = Exclude<CallStatus, 'pending' | 'running' | 'interrupted'>

/** A tool that does not exist, and arguments that do not fit it, are mistakes like others to whoever reads the history. */
export function toCallEnd(end: ToolCallEnd): CallEnd {
  return end === 'unknown' || end === 'invalid' ? 'error' : end
}

/** A call as it is told before anything of it has happened. */
export interface CallStart {
  readonly id: ToolCallId
  /** Null for a tool that lives in this process, and for one that does not exist. */
  readonly server: string | null
  /** Of a stored server, which may be renamed. */
  readonly serverId?: string | undefined
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

export interface CallSummary {
  /** Grows with time; what paging goes by. */
  readonly seq: number
  /** Another, higher number each time the row changes; what following goes by. */
  readonly change: number
  readonly id: ToolCallId
  readonly agent: string
  readonly sessionId: SessionId | null
  /** Which prompt of the session it belongs to, counted from 1. */
  readonly turn: number | null
  /** Null for a tool that lives in the process, and for one that does not exist. */
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
  /** How large the result was; all of it is kept up to a limit. */
  readonly resultBytes: number | null
  /** Its beginning; the whole of it is the result. */
  readonly error: string | null
}

export interface StoredCall extends CallSummary {
  readonly arguments: unknown
  /** As much of it as is kept. */
  readonly result: StoredResult | null
}

export type StoredResult = Pick<ToolResult, 'content' | 'structured'>

/** All that is given must hold. */
export interface CallFilter {
  readonly agent?: string
  readonly sessionId?: SessionId
  /** Of that session. */
  readonly turn?: number
  /** Null for tools without a server. */
  readonly server?: string | null
  readonly tool?: string
  readonly status?: CallStatus
  /** From this time on: ISO 8601. */
  readonly since?: string
  /** Before this time. */
  readonly until?: string
  /**
   * Words that must all be in it: names, arguments, result or error. Where no call has them all, the last one may be the beginning of a word.
   * A call can be found by its words once it has ended.
   */
  readonly text?: string
}

export interface CallQuery extends CallFilter {
  /** Only what came before this `seq`. */
  readonly before?: number
  /** Only what came after it, oldest first. */
  readonly after?: number
  /** Only what came or changed after this `change`, in that order. */
  readonly changedAfter?: number
  readonly limit: number
}

/** A call of a turn, and when it began. */
export interface TimelineCall extends CallSummary {
  /** Since the first call of the turn, by a clock that nobody sets. */
  readonly offsetMs: number
}

/** What lists of calls can be filtered by. */
export interface CalledServer {
  /** Null for tools without a server. */
  readonly server: string | null
  readonly tools: readonly string[]
}

export interface StatisticsQuery {
  readonly agent?: string
  readonly since?: string
  readonly until?: string
  /** Null for tools without a server. */
  readonly server?: string | null
  /** `server` when unset. */
  readonly by?: 'server' | 'tool'
}

/** The calls of one server, or of one of its tools, on one day (UTC) that have ended. */
export interface CallStatistics {
  readonly day: string
  readonly server: string | null
  /** Null where all tools of the server are counted together. */
  readonly tool: string | null
  readonly calls: number
  /** `error` and `interrupted`. */
  readonly errors: number
  readonly denied: number
  /** Of the calls that were run: half of them, and nineteen of twenty, took no longer. Null when there were none. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}
