import type { CallRecorder } from '../history/call.ts'
import type { Logger } from '../base/logger.ts'
import type { Conversation } from '../messages/conversation.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { ToolResult } from '../messages/tool.ts'
import type { Gate, GateQuestion } from '../policy/gate.ts'
import type { Model } from '../provider/model.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { LoopGuard } from './loop-guard.ts'
import type { UsageMeter } from './usage-meter.ts'

/** All the loop needs, as ports; built once for each prompt. */
export interface Turn {
  readonly model: Model
  readonly systemPrompt: () => string
  readonly conversation: Conversation
  /** The tools of the next step: a server that has connected since the last one is in it. */
  readonly toolSet: () => Promise<ToolSet>
  readonly gate: Gate
  /** What the gate needs to know of a call of this tool. */
  readonly inspect: (tool: OfferedTool) => Inspection
  /** Waits until the tool, its server and the agent have room for a call, and holds that place until it is disposed. */
  readonly acquire: (tool: OfferedTool, signal: AbortSignal) => Promise<Disposable>
  /** Strikes secrets from a result, and cuts it to the size that the caller can use. */
  readonly cap: (result: ToolResult) => ToolResult
  /** Where each call is written down before it has an effect. */
  readonly calls: CallRecorder
  readonly guard: LoopGuard
  readonly usage: UsageMeter
  readonly stepsMax: number
  /** The vendor's own limit when unset. */
  readonly outputTokensMax?: number
  /** Settles when the event has been taken: a slow reader slows the turn down. */
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly logger: Logger
  readonly redactor: Redactor
}

export type Inspection = Pick<GateQuestion, 'facts' | 'siblings' | 'serverOrigin'>
