import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { nextTurn } from '../base/in-slices.ts'
import type { Logger } from '../base/logger.ts'
import type { ContextChange, Conversation } from '../messages/conversation.ts'
import type { TurnEvent, Usage } from '../messages/turn-event.ts'
import type { Model } from '../provider/model.ts'
import type { SearchRefusals } from '../provider/stream-model.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'
import { estimateRequest, measureMessages, type RequestFrame } from './estimate-tokens.ts'
import { afterChange, tokensIn, type Gauge } from './gauge.ts'

export interface RoomSettings {
  /** A summary uses the same level as the conversation: another one would invalidate the vendor's cache. */
  readonly thoughtLevel: ThoughtChoice
  readonly cacheKey: string
  readonly searchRefusedBy: SearchRefusals
  /** Room is made when this part of the window is filled. */
  readonly compactAt: number
}

export interface RoomPorts {
  readonly model: Model
  readonly settings: RoomSettings
  readonly openSideModel: () => Promise<Model>
  readonly conversation: Conversation
  readonly gauge: { current: Gauge }
  readonly usage: {
    /** Counts a request that is not a step of the conversation, and that another model may have answered. */
    addSide(usage: LanguageModelV4Usage, by?: Model): void
    setUsed(tokens: number): void
    total(): Usage
  }
  /** Settles when the event has been consumed, so that a slow reader slows the turn down. */
  readonly emit: (event: TurnEvent) => Promise<void>
  readonly logger: Logger
}

export function windowOf({ model, gauge }: Pick<RoomPorts, 'model' | 'gauge'>): number {
  return Math.min(model.contextSize, gauge.current.sizeMax)
}

export function tokensUsed({ gauge, conversation }: RoomPorts, frame: RequestFrame): number {
  return tokensIn(gauge.current, estimateRequest(frame, conversation.messages))
}

/** If the tools and the system prompt fill most of the window, messages get at least this part of it. */
const messagesShareMin = 0.15
const fullShare = 0.95
/** A plan's shares refer to the part of the window that may be filled. */
const plannedAt = 0.8

export function tokensLimit(ports: RoomPorts, frame: RequestFrame): number {
  const size = windowOf(ports)
  const fixed = estimateRequest(frame, []).fixed * ports.gauge.current.ratio
  return Math.max(
    size * ports.settings.compactAt,
    Math.min(size * fullShare, fixed + size * messagesShareMin),
  )
}

/** The estimated size of the part of the window that is left for messages. Plans refer to it. */
export function plannedSize(ports: RoomPorts, frame: RequestFrame): number {
  return (
    Math.max(0, tokensLimit(ports, frame) / ports.gauge.current.ratio - estimateRequest(frame, []).fixed) /
    plannedAt
  )
}

/** Claude's longest answer, if the vendor does not report it. */
const answerTokensMax = 64_000
const answerTokensMin = 1_024

/**
 * Anthropic refuses a request if its prompt and the longest possible answer exceed the window together. Undefined if there is room for any
 * answer, or if the vendor has no such rule.
 */
export function outputTokensLimit(ports: RoomPorts, frame: RequestFrame): number | undefined {
  const { model } = ports
  const most = model.outputTokensMax ?? (model.id.includes('claude') ? answerTokensMax : 0)
  if (model.vendor !== 'anthropic') return undefined
  const room = Math.floor(windowOf(ports) - 1.1 * tokensUsed(ports, frame))
  return room < most ? Math.max(answerTokensMin, room) : undefined
}

/** Each pass over a long conversation gets its own turn of the event loop. */
export async function changeContext(
  ports: RoomPorts,
  frame: RequestFrame,
  change: ContextChange,
): Promise<void> {
  const { conversation, gauge, usage, emit, logger } = ports
  await nextTurn()
  const before = tokensUsed(ports, frame)
  await nextTurn()
  conversation.change(change)
  await measureMessages(conversation.messages)
  gauge.current = afterChange(gauge.current)
  const after = tokensUsed(ports, frame)
  usage.setUsed(after)
  logger.info('the conversation was shortened for the model', { how: change.type, before, after })
  await emit({ type: 'usage', usage: usage.total() })
}
