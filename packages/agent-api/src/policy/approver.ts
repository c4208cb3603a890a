import type { ToolCallView } from '../messages/turn-event.ts'
import type { ToolArguments, ToolRef } from '../tools/tool.ts'

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
}

export type ApprovalAnswer =
  | { readonly verdict: 'allow'; readonly scope: 'once' | 'session' }
  | { readonly verdict: 'deny'; readonly scope: 'once' | 'session' }
  | { readonly verdict: 'cancelled' }
