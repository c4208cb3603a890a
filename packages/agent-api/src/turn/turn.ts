import type { ToolCallId } from '../base/ids.ts'
import type { CallRecorder } from '../history/call.ts'
import type { Logger } from '../base/logger.ts'
import type { Gauge } from '../context/gauge.ts'
import type { Conversation } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { FormAnswer, PersonForm, ToolResult } from '../messages/tool.ts'
import type { PlacedAnswer } from '../policy/answer-rule.ts'
import type { Gate, GateQuestion } from '../policy/gate.ts'
import type { Model } from '../provider/model.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { LoopGuard } from './loop-guard.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Everything that the loop needs, as ports. Built once per prompt. */
export interface Turn {
  readonly model: Model
  readonly systemPrompt: () => string
  readonly conversation: Conversation
  /** The model for side work, such as summaries. */
  readonly openSideModel: () => Promise<Model>
  /** Tells the vendor which requests begin alike. */
  readonly cacheKey: string
  /** How full the context window is. Belongs to the session. */
  readonly gauge: { current: Gauge }
  /** Room is made when this part of the window is filled. */
  readonly compactAt: number
  /** The tools of the next step, including those of servers that connected meanwhile. */
  readonly toolSet: () => Promise<ToolSet>
  /** Messages for the model before the next step, besides the results of its calls. */
  readonly notes: () => Promise<readonly Message[]>
  readonly gate: Pick<Gate, 'pass'>
  /** The tool as it is now, once its server is known to offer it. Settles with a problem if it cannot be called. */
  readonly confirm: (tool: OfferedTool, signal: AbortSignal) => Promise<ConfirmedTool>
  /** The facts about a call of this tool, for the gate. */
  readonly inspect: (tool: OfferedTool) => Inspection
  /** Waits for a free place: the tool, its server and the agent all have limits. Disposing the result frees the place. */
  readonly acquire: (tool: OfferedTool, signal: AbortSignal) => Promise<Disposable>
  /** Strikes secrets from a result, and cuts it to the size that the caller can use. */
  readonly cap: (result: ToolResult) => ToolResult
  /** Keeps a result that `cap` cuts. Returns a sentence that says where the whole is, or undefined if nothing is cut. */
  readonly keep?: (result: ToolResult, callId: ToolCallId) => Promise<string | undefined>
  /** Offers the person a login with the permissions that a server asks for. True if it was made. */
  readonly offerScope?: (tool: OfferedTool, scope: string, signal: AbortSignal) => Promise<boolean>
  /** Asks the person a form of a tool, in the editor and in the console. */
  readonly askForm?: (form: PersonForm, here: (signal: AbortSignal) => Promise<FormAnswer>, signal: AbortSignal) => Promise<PlacedAnswer>
  /** Records each call before it has an effect. */
  readonly calls: CallRecorder
  readonly guard: LoopGuard
  readonly usage: UsageMeter
  readonly stepsMax: number
  readonly thoughtLevel: ThoughtChoice
  /** Defaults to the vendor's own limit. */
  readonly outputTokensMax?: number
  /** Settings of the model that a server chose for its own request. */
  readonly sampling?: { readonly temperature?: number; readonly stopSequences?: string[] }
  /** Settles when the event has been taken, so that a slow reader slows the turn down. */
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly logger: Logger
  readonly redactor: Redactor
}

export type ConfirmedTool = { readonly offered: OfferedTool } | { readonly problem: string }

export type Inspection = Pick<GateQuestion, 'facts' | 'siblings' | 'serverOrigin' | 'claims'>
