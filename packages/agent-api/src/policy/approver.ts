import type { ToolCallView } from '../messages/turn-event.ts'
import type { ToolArguments, ToolRef } from '../messages/tool.ts'

/** Whoever can say yes: the editor's dialog, a test, a program. Without one, a call that must be asked for is denied. */
export interface Approver {
  /** A rejection, a throw, anything unclear: not allowed. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>
}

export interface ApprovalQuestion {
  readonly call: ToolCallView
  readonly ref: ToolRef
  readonly args: ToolArguments
  /** What runs behind the tool: the command line or the address of its server. Unset for a local tool. */
  readonly serverOrigin?: string
  /** What is not as it was when the person allowed this tool for good. Unset when they have not, or nothing is. */
  readonly changes?: readonly string[]
}

/** `once`: this call. `session`: this tool in this session. `always`: this tool. `server`: all tools that its server has now. */
export type ApprovalAnswer =
  | { readonly verdict: 'allow'; readonly scope: 'once' | 'session' | 'always' | 'server' }
  | { readonly verdict: 'deny'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly verdict: 'cancelled' }
