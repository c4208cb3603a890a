import { createCompactionId } from '../base/ids.ts'
import { messageOf, OstlerError } from '../base/errors.ts'
import type { Message } from '../messages/message.ts'
import { streamModel } from '../provider/stream-model.ts'
import { toModelCall } from '../provider/to-model-call.ts'
import { applyChange } from '../messages/context-change.ts'
import { estimateRequest } from './estimate-request.ts'
import { estimateMessages } from './estimate-tokens.ts'
import { tokensIn } from './gauge.ts'
import { planCompaction, planTrimming } from './plan-room.ts'
import { changeContext, tokensUsed, windowOf, type RequestFrame, type RoomPorts } from './room-ports.ts'
import { toPlainSummary, toSummaryRequest } from './summary-request.ts'

export interface CompactionWish {
  /** True if the last prompt is being answered. */
  readonly isOpen: boolean
  /** True if the next request will not fit. Then messages are left out even without a summary of the model. */
  readonly isForced: boolean
  /** What the person wants to keep. */
  readonly keep?: string
}

/** The part of the window that a summary may fill, with the thoughts before it. */
const summaryShare = 0.2
const summaryTokensMax = 8_000
const wordsPerToken = 0.4
/** For models that write more than they were asked for. */
const charsPerTokenMax = 6

/**
 * Replaces the older messages with a summary that the model writes. The messages stay as they are until the summary is complete. If the
 * model cannot write one although there is no room left, a plain one takes its place, so that the conversation can go on.
 */
export async function compact(
  ports: RoomPorts,
  frame: RequestFrame,
  wish: CompactionWish,
  signal: AbortSignal,
): Promise<'compacted' | 'too_few' | 'failed'> {
  const { conversation, gauge, emit } = ports
  const { messages } = conversation
  const plan = planCompaction(messages, windowOf(ports) / gauge.current.ratio, wish.isOpen)
  if (plan === undefined) return 'too_few'
  const id = createCompactionId()
  const tokensBefore = tokensUsed(ports, frame)
  await emit({ type: 'compaction', id, status: 'in_progress' })
  const replaced = messages.slice(0, messages.length - plan.kept)
  const written = await writeSummary(ports, frame, replaced, wish.keep, signal)
  if (signal.aborted) {
    await emit({ type: 'compaction', id, status: 'cancelled' })
    return 'failed'
  }
  if ('error' in written && !wish.isForced) {
    await emit({ type: 'compaction', id, status: 'failed', error: written.error })
    return 'failed'
  }
  const summary = 'text' in written ? written.text : toPlainSummary(replaced)
  await changeContext(ports, frame, { type: 'compacted', summary, ...plan })
  const tokensAfter = tokensUsed(ports, frame)
  const problem = 'text' in written ? {} : { error: `The model wrote no summary. ${written.error}` }
  await emit({ type: 'compaction', id, status: 'completed', summary, tokensBefore, tokensAfter, ...problem })
  return 'compacted'
}

type Written = { readonly text: string } | { readonly error: string }

async function writeSummary(
  ports: RoomPorts,
  frame: RequestFrame,
  messages: readonly Message[],
  keep: string | undefined,
  signal: AbortSignal,
): Promise<Written> {
  const { model, thoughtLevel, cacheKey, logger, redactor, usage } = ports
  if (model.vendor === 'offline') return { error: 'The offline model writes no summaries.' }
  const outputTokensMax = Math.floor(Math.min(summaryTokensMax, windowOf(ports) * summaryShare))
  const request = toSummaryRequest(Math.floor(outputTokensMax * wordsPerToken), keep)
  const fitting = fit(ports, frame, messages, outputTokensMax)
  const call = await toModelCall(model, { ...frame, messages: [...fitting, request], thoughtLevel, cacheKey, outputTokensMax })
  let text = ''
  try {
    for await (const part of streamModel(model, call, { signal, logger, redactor })) {
      if (part.type === 'text-delta') text += part.delta
      if (part.type === 'finish') usage.addSide(part.usage)
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
function fit(ports: RoomPorts, frame: RequestFrame, messages: readonly Message[], outputTokensMax: number): readonly Message[] {
  const { ratio } = ports.gauge.current
  const room = windowOf(ports) / ratio - outputTokensMax
  const excessOf = (some: readonly Message[]) =>
    tokensIn({ ...ports.gauge.current, counted: undefined, ratio: 1 }, estimateRequest(frame, some)) - room
  const excess = excessOf(messages)
  if (excess <= 0) return messages
  const shortened = applyChange(messages, { type: 'shortened', results: planTrimming(messages, excess) })
  const left = excessOf(shortened)
  if (left <= 0) return shortened
  // The beginning tells what the person wants, and the end tells how things are.
  const [first, ...others] = shortened
  const from = others.findIndex((message, index) => message.role === 'user' && estimateMessages(others.slice(0, index)) >= left)
  return first === undefined ? [] : [first, ...(from === -1 ? [] : others.slice(from))]
}
