import type { CompactionId, MessageId, ToolCallId } from '../base/ids.ts'
import type { PlanEntry } from './plan.ts'
import type { ToolKind, ToolLocation, ToolOutput, ToolRef } from './tool.ts'
import type { ToolCallEnd } from './message.ts'

/** The events of a turn, in the order they happen. The last event of every turn is `turn_end`. */
export type TurnEvent =
  | { readonly type: 'text'; readonly messageId: MessageId; readonly text: string }
  /** `isWait`: not by the model. The text says why Ostler waits for the vendor. */
  | { readonly type: 'thought'; readonly messageId: MessageId; readonly text: string; readonly isWait?: true }
  | { readonly type: 'tool_call'; readonly call: ToolCallView }
  | { readonly type: 'tool_call_update'; readonly id: ToolCallId; readonly update: ToolCallUpdate }
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | CompactionEvent
  /** Clients without another place for the report show it as a message with this id. */
  | { readonly type: 'server_report'; readonly messageId: MessageId; readonly report: ServerReport }
  | {
      readonly type: 'turn_end'
      readonly stopReason: StopReason
      readonly usage: Usage
      readonly error?: TurnError
    }

interface TurnError {
  readonly code: string
  readonly messageId: MessageId
}

/** The reason why a turn ended. `max_turn_requests`: it reached the limit of steps. Same values as in ACP. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'

/** A call when it is first shown: pending, not yet running. */
export interface ToolCallView {
  readonly id: ToolCallId
  /** Undefined if the model named a tool that does not exist. */
  readonly ref?: ToolRef
  readonly wireName: string
  readonly title: string
  readonly kind: ToolKind
  readonly rawInput: unknown
  readonly locations: readonly ToolLocation[]
  /** The call that delegated the task to which this call belongs. */
  readonly parentId?: ToolCallId
  /** The planned effect of the call: a diff, a command. */
  readonly content?: readonly ToolOutput[]
}

/** A change of a call. Fields that are not set stay as they were. */
export interface ToolCallUpdate {
  readonly status?: 'in_progress' | 'completed' | 'failed'
  /** `interrupted` if the process ended before the call. */
  readonly end?: ToolCallEnd | 'interrupted'
  readonly title?: string
  /** Replaces what was shown before. */
  readonly content?: readonly ToolOutput[]
  readonly rawOutput?: unknown
  readonly locations?: readonly ToolLocation[]
}

/** A summary takes the place of older messages for the model. The person still sees all of them. Ends with any status but `in_progress`. */
export interface CompactionEvent {
  readonly type: 'compaction'
  readonly id: CompactionId
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled'
  readonly summary?: string
  readonly error?: string
  readonly tokensBefore?: number
  readonly tokensAfter?: number
}

/** Tokens used in one turn, and how full the context window is afterwards. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly contextUsed: number
  readonly contextSize: number
  /** True if the vendor did not count, so that `contextUsed` is an estimate. */
  readonly isEstimate?: boolean
  /** The cost of the whole session so far. Undefined if the prices are not known. */
  readonly cost?: Cost
}

export interface Cost {
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
}

/** The state of a session's MCP servers, for a person. Reasons are redacted. */
export interface ServerReport {
  readonly connected: readonly { readonly server: string; readonly tools: number }[]
  readonly waiting: readonly string[]
  /** Servers that are connecting, and whose tools are known from an earlier connection. */
  readonly anticipated?: readonly { readonly server: string; readonly tools: number }[]
  /** Servers that start when they are used. */
  readonly asleep?: readonly { readonly server: string; readonly tools: number }[]
  readonly failed: readonly { readonly server: string; readonly reason: string }[]
  /** Servers of `connected` that had failed in the previous report. */
  readonly returned?: readonly string[]
  readonly warnings: readonly string[]
  /** Sentences that a person should read, though nothing is wrong. */
  readonly remarks?: readonly string[]
}
