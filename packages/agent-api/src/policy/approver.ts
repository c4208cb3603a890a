import type { ToolCallView } from '../messages/turn-event.ts'
import type { ToolArguments, ToolRef } from '../messages/tool.ts'

/** Asks for permission: an editor's dialog, a test or a program. Without an approver, calls that need permission are denied. */
export interface Approver {
  /** Only a clear yes allows the call. A rejection, an error or anything unclear denies it. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>
}

export interface ApprovalQuestion {
  readonly call: ToolCallView
  readonly ref: ToolRef
  readonly args: ToolArguments
  /** The command line or address of the tool's server. Undefined for a local tool. */
  readonly serverOrigin?: string
  /** Changes since the person allowed this tool permanently. Undefined if there are none. */
  readonly changes?: readonly string[]
}

/** `once`: this call. `session`: this tool in this session. `always`: this tool. `server`: all current tools of its server. */
export type ApprovalAnswer =
  | { readonly verdict: 'allow'; readonly scope: 'once' | 'session' | 'always' | 'server' }
  | { readonly verdict: 'deny'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly verdict: 'cancelled' }
