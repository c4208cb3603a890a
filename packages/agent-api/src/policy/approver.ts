import type { ToolCallView } from '../messages/turn-event.ts'
import type { ToolAnnotations, ToolArguments, ToolRef } from '../messages/tool.ts'
import type { Lasting, PlanFacts } from './approval.ts'

/** Asks for permission: an editor's dialog, a test or a program. Without an approver, calls that need permission are denied. */
export interface Approver {
  /** Only a clear yes allows the call. A rejection, an error or anything unclear denies it. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Called with the answer to a question that stood apart, wherever it was given. */
  end?(call: ToolCallView, answer: ApprovalAnswer): Promise<void>
}

/** A call that needs permission, with everything a person needs to decide. */
export interface ApprovalQuestion {
  readonly call: ToolCallView
  readonly ref: ToolRef
  readonly args: ToolArguments
  /** The command line or address of the tool's server. Undefined for a local tool. */
  readonly serverOrigin?: string
  /** The server's claims about its tool. Not verified. */
  readonly claims?: ToolAnnotations | undefined
  /** The planned effect of the call. Undefined if its tool makes no plan. */
  readonly plan?: PlanFacts | undefined
  /** The calls that an answer for longer than this call allows. Other answers count for this call only. */
  readonly lasting: Lasting
  /** Changes since the person allowed this tool permanently. Undefined if there are none. */
  readonly changes?: readonly string[]
  /** The changed lines of the tool's definition. Null if the earlier one was not kept, undefined if it is the same. */
  readonly difference?: string | null
  /** True if no call follows, so that the question is all there is to show. It can come at any time, also between prompts. */
  readonly isApart?: true
}

interface Answered {
  /** Set if the answer was given in another place than the one where the approver asks. */
  readonly from?: 'console'
}

/**
 * `once`: this call. `session`: what `lasting` names, in this session. `always`: the same, in all sessions. `server`: all current tools of
 * the tool's server. `args` replace the arguments of the call.
 */
export type ApprovalAnswer =
  | ({ readonly verdict: 'allow'; readonly scope: 'once' | 'session' | 'always' | 'server'; readonly args?: ToolArguments } & Answered)
  /** From `nobody`: nobody could be asked. It counts for this call. */
  | { readonly verdict: 'deny'; readonly scope: 'once' | 'session' | 'always'; readonly from?: 'console' | 'nobody' }
  | { readonly verdict: 'cancelled' }
