import { OstlerError } from '../base/errors.ts'
import { nextTurn } from '../base/in-slices.ts'
import { isPrompt } from '../messages/conversation.ts'
import { compact } from './compact.ts'
import { estimateRequest, type RequestFrame } from './estimate-tokens.ts'
import { afterRefusal } from './gauge.ts'
import { planShortening, planTrimming, shares } from './plan-compaction.ts'
import {
  changeContext,
  plannedSize,
  tokensLimit,
  tokensUsed,
  windowOf,
  type RoomPorts,
} from './room-ports.ts'

/** Above this share, the next request is likely to be refused. */
const fullShare = 0.95

/** Shortens old results, and if that is not enough, replaces old messages with a summary. */
export async function makeRoom(ports: RoomPorts, frame: RequestFrame, signal: AbortSignal): Promise<void> {
  const size = windowOf(ports)
  const used = tokensUsed(ports, frame)
  if (used <= tokensLimit(ports, frame)) return
  ports.logger.info('the context window is nearly full', { used, size })
  await leaveOut(ports, frame, used > size * fullShare, signal)
}

/** Throws if nothing can be left out. */
export async function makeRoomAfterRefusal(
  ports: RoomPorts,
  frame: RequestFrame,
  error: OstlerError,
  signal: AbortSignal,
): Promise<void> {
  const { conversation, gauge, logger } = ports
  const named = error.data['contextSize']
  const before = conversation.messages
  gauge.current = afterRefusal(
    gauge.current,
    estimateRequest(frame, before),
    typeof named === 'number' ? named : undefined,
  )
  logger.info('a request was longer than the context window', { size: windowOf(ports), named })
  await leaveOut(ports, frame, true, signal)
  if (!signal.aborted && conversation.messages === before) throw explainRefusal(ports, frame, error)
}

async function leaveOut(
  ports: RoomPorts,
  frame: RequestFrame,
  isForced: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { conversation, gauge } = ports
  const { ratio } = gauge.current
  const { fixed } = estimateRequest(frame, [])
  const size = plannedSize(ports, frame)
  const excess = () => tokensUsed(ports, frame) / ratio - fixed - size * shares.target
  const wanted = excess()
  await nextTurn()
  const shortened = planShortening(conversation.messages, size, wanted)
  if (shortened !== undefined) return changeContext(ports, frame, { type: 'shortened', results: shortened })
  await nextTurn()
  await compact(ports, frame, { isOpen: true, isForced }, signal)
  if (signal.aborted || excess() <= 0) return
  // Only the newest turn is left. Its results may be larger than the window.
  const most = tokensUsed(ports, frame) - tokensLimit(ports, frame)
  const trimmed = most <= 0 ? [] : planTrimming(conversation.messages, excess())
  if (trimmed.length > 0) await changeContext(ports, frame, { type: 'shortened', results: trimmed })
}

export function explainRefusal(ports: RoomPorts, frame: RequestFrame, cause: OstlerError): OstlerError {
  const { model, conversation, gauge } = ports
  const size = windowOf(ports)
  const { fixed, messages } = estimateRequest(frame, conversation.messages)
  const shown = (estimate: number) =>
    `about ${Math.ceil(estimate * gauge.current.ratio).toLocaleString('en')} tokens`
  const limit = `${model.id} reads about ${size.toLocaleString('en')}`
  const last = conversation.messages.findLastIndex(isPrompt)
  const prompt = messages[last] ?? 0
  const sentence =
    fixed > prompt
      ? `The tools and instructions of this session alone are ${shown(fixed)}, but ${limit}. Use fewer MCP servers, or choose a model with a larger window.`
      : `Your last message alone is ${shown(prompt)}, but ${limit}. Send a shorter one, or name files instead of attaching them. It was not added to the conversation.`
  return new OstlerError('model.context_exceeded', sentence, { data: { ...cause.data }, cause })
}
