import { messageOf, OstlerError } from '../base/errors.ts'
import { applyChange } from '../messages/context-change.ts'
import type { Message } from '../messages/message.ts'
import { streamModel } from '../provider/stream-model.ts'
import { toModelCall } from '../provider/to-model-call.ts'
import { estimateRequest } from './estimate-request.ts'
import { estimateMessages } from './estimate-tokens.ts'
import { planTrimming } from './plan-room.ts'
import { windowOf, type RequestFrame, type RoomPorts } from './room-ports.ts'
import { toSummaryRequest } from './summary-request.ts'

/** The part of the window that a summary may fill, with the thoughts before it. */
const summaryShare = 0.2
const summaryTokensMax = 8_000
const wordsPerToken = 0.4
/** For models that write more than they were asked for. */
const charsPerTokenMax = 6

export interface SummaryWish {
  readonly messages: readonly Message[]
  /** Topics that the person wants to keep. */
  readonly keep: string | undefined
}

export type Written = { readonly text: string } | { readonly error: string }

/**
 * Lets the model write a summary. The request begins like all others of the conversation, so that the vendor has most of it in its cache. A
 * small model, if there is one, writes it instead.
 */
export async function writeSummary(ports: RoomPorts, frame: RequestFrame, wish: SummaryWish, signal: AbortSignal): Promise<Written> {
  const { thoughtLevel, cacheKey, logger, redactor, usage } = ports
  const model = await ports.openSideModel()
  if (model.vendor === 'offline') return { error: 'The offline model writes no summaries.' }
  const size = (model.id === ports.model.id ? windowOf(ports) : model.contextSize) / ports.gauge.current.ratio
  const outputTokensMax = Math.floor(Math.min(summaryTokensMax, size * summaryShare))
  const request = toSummaryRequest(Math.floor(outputTokensMax * wordsPerToken), wish.keep)
  const messages = [...fit(frame, wish.messages, size - outputTokensMax), request]
  // Another model may take fewer tools, and its vendor refuses a request with more.
  const tools = frame.tools.length <= model.toolsMax ? frame.tools : frame.tools.slice(0, model.toolsMax)
  const call = await toModelCall(model, { ...frame, tools, messages, thoughtLevel, cacheKey, outputTokensMax })
  let text = ''
  try {
    for await (const part of streamModel(model, call, { signal, logger, redactor })) {
      if (part.type === 'text-delta') text += part.delta
      if (part.type === 'finish') usage.addSide(part.usage, model)
    }
  } catch (error) {
    if (signal.aborted) return { error: 'cancelled' }
    if (!(error instanceof OstlerError)) throw error
    logger.warn('the summary of a conversation could not be written', { error: messageOf(error) })
    return { error: error.message }
  }
  const summary = redactor.redact(text.trim()).slice(0, outputTokensMax * charsPerTokenMax)
  return summary === '' ? { error: `The answer of ${model.vendorName} was empty.` } : { text: summary }
}

/** After a refusal, the messages are longer than the window. Then their results are shortened, and the oldest are left out. */
function fit(frame: RequestFrame, messages: readonly Message[], tokensMax: number): readonly Message[] {
  const excessOf = (some: readonly Message[]) => estimateRequest(frame, []).fixed + estimateMessages(some) - tokensMax
  const excess = excessOf(messages)
  if (excess <= 0) return messages
  const shortened = applyChange(messages, { type: 'shortened', results: planTrimming(messages, excess) })
  const left = excessOf(shortened)
  if (left <= 0) return shortened
  // The beginning tells what the person wants, and the end tells how things are.
  const [first, ...others] = shortened
  const from = others.findIndex(({ role }, index) => role !== 'tool' && estimateMessages(others.slice(0, index)) >= left)
  return first === undefined ? [] : [first, ...(from === -1 ? [] : others.slice(from))]
}
