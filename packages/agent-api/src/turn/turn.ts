import type { ToolCallId } from '../base/ids.ts'
import type { Timing } from '../base/timing.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import type { Logger } from '../base/logger.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { ToolResult } from '../messages/tool.ts'
import type { Gate, GateQuestion } from '../policy/gate.ts'
import type { Ask } from '../policy/question.ts'
import type { CallMembrane } from '../tools/call-membrane.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import type { RoomPorts, RoomSettings } from '../context/room-ports.ts'
import type { UsageMeter } from './usage-meter.ts'

/** Everything that the loop needs, as ports. Built once per prompt. */
export interface Turn extends RoomPorts, CallPorts {
  readonly settings: TurnSettings
  readonly project: {
    readonly systemPrompt: () => string
    /** Messages for the model before the next step, besides the results of its calls. */
    readonly notes: () => Promise<readonly Message[]>
  }
  readonly tools: TurnTools
  readonly person: CallPerson & { readonly gate: Pick<Gate, 'decide'> }
  readonly usage: UsageMeter
}

export interface TurnSettings extends RoomSettings {
  readonly stepsMax: number
  readonly timing: Pick<Timing, 'modelRetryMs' | 'modelPatienceMs'>
  /** Defaults to the vendor's own limit. */
  readonly outputTokensMax?: number
  /** A server chose them for its own request. */
  readonly sampling?: { readonly temperature?: number; readonly stopSequences?: string[] }
}

/** A call that a person makes has no turn, only these. */
export interface CallPorts {
  readonly tools: CallTools
  readonly person: CallPerson
  /** Records each call before it has an effect. */
  readonly calls: CallRecorder
  /** Keeps a result that the membrane truncates. Returns a sentence that says where all of it is, or undefined if nothing is truncated. */
  readonly keep?: (result: ToolResult, callId: ToolCallId) => Promise<string | undefined>
  readonly membrane: CallMembrane
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly logger: Logger
}

export interface CallTools {
  /** The tool as its server offers it now, or a problem. `onStart` is called if the server must start first. */
  readonly confirm: (tool: OfferedTool, signal: AbortSignal, onStart: () => void) => Promise<ConfirmedTool>
  readonly inspect: (tool: OfferedTool) => Inspection
  /** Waits for a free slot: the tool, its server and the agent all have limits. Disposing the result frees the slot. */
  readonly acquire: (tool: OfferedTool, signal: AbortSignal) => Promise<Disposable>
}

interface TurnTools extends CallTools {
  /** Includes the tools of servers that have just connected. */
  readonly next: () => Promise<ToolSet>
  readonly nextFor: (task: string) => () => Promise<ToolSet>
  /** Prepares for a call that the model has begun to write. */
  readonly expect: (tool: OfferedTool, signal: AbortSignal) => void
}

interface CallPerson {
  readonly gate: Pick<Gate, 'pass'>
  /** True if the person has logged in with this scope. */
  readonly offerScope?: (tool: OfferedTool, scope: string, signal: AbortSignal) => Promise<boolean>
  readonly ask?: Ask | undefined
}

export type ConfirmedTool = { readonly offered: OfferedTool } | { readonly problem: string }

export type Inspection = Pick<
  GateQuestion,
  'facts' | 'siblings' | 'serverOrigin' | 'serverFence' | 'claims' | 'inputSchema'
>
