import type { SessionId, ToolCallId } from '../../base/ids.ts'
import type { ToolCallEnd } from '../../messages/message.ts'
import type { ToolResult } from '../../messages/tool.ts'
import type { Rule } from '../../policy/rule.ts'

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

/** A call as it is recorded before anything happens. */
export interface CallStart {
  readonly id: ToolCallId
  /** Null for a local tool and for a tool that does not exist. */
  readonly server: string | null
  /** Id of a stored server, which may be renamed. */
  readonly serverId?: string | undefined
  readonly tool: string
  readonly arguments: unknown
  /** Set if no rule needs to decide, because there is no such tool. */
  readonly rule?: Rule | undefined
}

/** Records the calls of one agent, or of one of its sessions. */
export interface CallRecorder {
  /** Settles once the row is written, or cannot be written for now. History never holds up a call for long and never fails it. */
  start(call: CallStart): Promise<CallRecord>
}

/** The record of a running call. */
export interface CallRecord {
  /** `args` is set if the person changed the arguments. They replace the recorded ones. */
  decided(decision: string, rule: Rule, args?: unknown): void
  running(): void
  /** `askedMs`: how long the server waited for a person's answers, if no row says so. */
  ended(status: CallEnd, result: ToolResult, askedMs?: number): void
}

export interface CallSummary {
  /** Increases over time. Used for paging. */
  readonly seq: number
  /** Increases with every change of a row. Used to follow changes. */
  readonly change: number
  readonly id: ToolCallId
  readonly agent: string
  readonly sessionId: SessionId | null
  /** The number of the prompt in its session, starting at 1. */
  readonly turn: number | null
  /** Null for a local tool and for a tool that does not exist. */
  readonly server: string | null
  readonly tool: string
  readonly status: CallStatus
  /** The gate's decision, and the rule that made it. */
  readonly decision: string | null
  readonly rule: string | null
  readonly startedAt: string
  readonly endedAt: string | null
  /** From start to end, including the wait. Measured with a monotonic clock. */
  readonly durationMs: number | null
  /** The time before the call ran: it waited for a person's answer and for a free slot. Null if it did not run. */
  readonly waitedMs: number | null
  /** Size of the complete result. Only part of it may be stored. */
  readonly resultBytes: number | null
  /** The beginning of the error. The result contains the rest. */
  readonly error: string | null
  /** The beginning of the arguments, or the server that an action in the console was about. Null if they are long. */
  readonly about: string | null
}

export interface StoredCall extends CallSummary {
  /** The id of its stored server. Null for other servers: an editor may have brought one of the same name. */
  readonly serverId: string | null
  readonly arguments: unknown
  /** The stored part of the result. */
  readonly result: Pick<ToolResult, 'content' | 'structured'> | null
}

/** All given conditions must hold. */
export interface CallFilter {
  readonly agent?: string
  readonly sessionId?: SessionId
  /** Requires `sessionId`. */
  readonly turn?: number
  /** Null for tools without a server. */
  readonly server?: string | null
  readonly tool?: string
  readonly status?: CallStatus
  /** Earliest start time, inclusive, in ISO 8601. */
  readonly since?: string
  /** Latest start time, exclusive. */
  readonly until?: string
  /**
   * Words that must all occur in the names, arguments, result or error. If no call has them all, the last one may be a prefix. Only ended
   * calls can be found by their words.
   */
  readonly text?: string
}

export interface CallQuery extends CallFilter {
  /** Only calls before this `seq`. */
  readonly before?: number
  /** Only calls after this `seq`, oldest first. */
  readonly after?: number
  /** Only calls added or changed after this `change`, in the order of the changes. */
  readonly changedAfter?: number
  readonly limit: number
}

/** A server and its tools, for filtering lists of calls. */
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
  /** Defaults to `server`. */
  readonly by?: 'server' | 'tool'
}

/** Ended calls of one server, or one tool, on one day (UTC). */
export interface CallStatistics {
  readonly day: string
  readonly server: string | null
  /** Null if the server's tools are counted together. */
  readonly tool: string | null
  readonly calls: number
  /** Calls that ended as `error` or `interrupted`. */
  readonly errors: number
  readonly denied: number
  /** Median and 95th percentile of the time that executed calls ran, without waiting. Null if there were none. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

/** The duration of a call, without its waits for a person or a free slot. Null if it did not run, or has not ended. */
export function toRanMs({
  status,
  durationMs,
  waitedMs,
}: Pick<CallSummary, 'status' | 'durationMs' | 'waitedMs'>): number | null {
  const hasRun = waitedMs === null ? status === 'success' || status === 'error' : waitedMs !== durationMs
  return durationMs !== null && hasRun ? durationMs - (waitedMs ?? 0) : null
}
