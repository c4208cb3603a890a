import type { ToolCallId } from '../base/ids.ts'
import type { Timing } from '../base/timing.ts'
import type { CallRecorder } from '../history/call.ts'
import type { Message } from '../messages/message.ts'
import type { FormAnswer, PersonForm, ToolResult } from '../messages/tool.ts'
import type { PlacedAnswer } from '../policy/answer-rule.ts'
import type { Gate, GateQuestion } from '../policy/gate.ts'
import type { CallMembrane } from '../tools/call-membrane.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { RoomPorts } from '../context/room-ports.ts'
import type { LoopGuard } from './loop-guard.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Everything that the loop needs, as ports. Built once per prompt. */
export interface Turn extends RoomPorts {
  readonly systemPrompt: () => string
  /** The tools of the next step, including those of servers that have just connected. */
  readonly toolSet: () => Promise<ToolSet>
  /** Messages for the model before the next step, besides the results of its calls. */
  readonly notes: () => Promise<readonly Message[]>
  readonly gate: Pick<Gate, 'pass' | 'decide'>
  /** The tool as it is now, once its server is known to offer it. Settles with a problem if it cannot be called. */
  readonly confirm: (tool: OfferedTool, signal: AbortSignal) => Promise<ConfirmedTool>
  /** The facts about a call of this tool, for the gate. */
  readonly inspect: (tool: OfferedTool) => Inspection
  /** Waits for a free slot: the tool, its server and the agent all have limits. Disposing the result frees the slot. */
  readonly acquire: (tool: OfferedTool, signal: AbortSignal) => Promise<Disposable>
  readonly membrane: CallMembrane
  /** Keeps a result that the membrane truncates. Returns a sentence that says where all of it is, or undefined if nothing is truncated. */
  readonly keep?: (result: ToolResult, callId: ToolCallId) => Promise<string | undefined>
  /** Offers the person a login with the permissions that a server asks for. True if they logged in. */
  readonly offerScope?: (tool: OfferedTool, scope: string, signal: AbortSignal) => Promise<boolean>
  /** Asks the person a form of a tool, in the editor and in the console. */
  readonly askForm?: (form: PersonForm, here: (signal: AbortSignal) => Promise<FormAnswer>, signal: AbortSignal) => Promise<PlacedAnswer>
  /** Records each call before it has an effect. */
  readonly calls: CallRecorder
  readonly guard: LoopGuard
  readonly usage: UsageMeter
  readonly stepsMax: number
  readonly timing: Pick<Timing, 'modelRetryMs' | 'modelPatienceMs'>
  /** Defaults to the vendor's own limit. */
  readonly outputTokensMax?: number
  /** Settings of the model that a server chose for its own request. */
  readonly sampling?: { readonly temperature?: number; readonly stopSequences?: string[] }
}

export type ConfirmedTool = { readonly offered: OfferedTool } | { readonly problem: string }

export type Inspection = Pick<GateQuestion, 'facts' | 'siblings' | 'serverOrigin' | 'claims'>
