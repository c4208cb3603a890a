import { messageOf, OstlerError } from '../base/errors.ts'
import type { Message, UserMessage } from '../messages/message.ts'
import type { Model } from '../provider/model.ts'
import { fitThoughtLevel, type ThoughtChoice } from '../provider/thought-level.ts'
import { toModelCall } from '../provider/to-model-call.ts'
import { readAnswer, type SideAnswer } from './ask-aside.ts'
import { estimateRequest, type RequestFrame } from './estimate-tokens.ts'
import { fitMessages } from './fit-messages.ts'
import { windowOf, type RoomPorts } from './room-ports.ts'
import { createMessageId } from '../base/ids.ts'
import { isPrompt, isSummary } from '../messages/conversation.ts'
import { promptText, text } from '../messages/content.ts'

const answerShare = 0.2
const summaryTokensMax = 8_000
/** Most vendors count thoughts as a part of the answer. */
const thoughtTokensMax = 16_000
const wordsPerToken = 0.4
const charsPerTokenMax = 6
const cutMark = '\n[The rest of this summary is missing: it was cut at its limit.]'

interface SummaryWish {
  readonly messages: readonly Message[]
  readonly keep: string | undefined
}

export type Written = { readonly text: string } | { readonly error: string }

interface Attempt {
  readonly model: Model
  readonly thoughtLevel: ThoughtChoice
  /** Limits on the summary, and on the answer with its thoughts. */
  readonly tokensMax: number
  readonly answerTokensMax: number
}

type Draft = Pick<SideAnswer, 'text' | 'isCut'>

/**
 * The request begins like all others of the conversation, so that the vendor has most of it in its cache. A summary that is truncated or
 * empty, perhaps because the model thought for too long, is requested once more: shorter, with as little thinking as the model allows.
 */
export async function writeSummary(
  ports: RoomPorts,
  frame: RequestFrame,
  wish: SummaryWish,
  signal: AbortSignal,
): Promise<Written> {
  const { logger } = ports
  const model = await ports.openSideModel()
  if (model.vendor === 'offline') return { error: 'The offline model writes no summaries.' }
  const first = firstAttempt(ports, model)
  try {
    const draft = await ask(ports, frame, { ...wish, ...first }, signal)
    if (isWhole(draft)) return { text: draft.text }
    logger.info('a summary was cut or empty; asking for a shorter one', { model: model.id })
    const shorter = { ...first, thoughtLevel: 'off' as const, tokensMax: Math.floor(first.tokensMax / 2) }
    const second = await ask(ports, frame, { ...wish, ...shorter }, signal)
    if (isWhole(second)) return { text: second.text }
    const longest = second.text.length > draft.text.length ? second : draft
    return longest.text === ''
      ? { error: `The answer of ${model.vendorName} was empty.` }
      : { text: longest.text + cutMark }
  } catch (error) {
    if (signal.aborted) return { error: 'cancelled' }
    if (!(error instanceof OstlerError)) throw error
    logger.warn('the summary of a conversation could not be written', { error: messageOf(error) })
    return { error: error.message }
  }
}

function firstAttempt(ports: RoomPorts, model: Model): Attempt {
  const { thoughtLevel } = ports.settings
  const room = Math.floor(Math.min(windowFor(ports, model) * answerShare, model.outputTokensMax ?? Infinity))
  const thinks =
    model.thoughtLevels.length > 0 && fitThoughtLevel(thoughtLevel, model.thoughtLevels) !== 'off'
  const tokensMax = Math.min(summaryTokensMax, thinks ? Math.ceil(room / 2) : room)
  return {
    model,
    thoughtLevel,
    tokensMax,
    answerTokensMax: Math.min(room, summaryTokensMax + (thinks ? thoughtTokensMax : 0)),
  }
}

function windowFor(ports: RoomPorts, model: Model): number {
  return (model.id === ports.model.id ? windowOf(ports) : model.contextSize) / ports.gauge.current.ratio
}

function isWhole({ text, isCut }: Draft): boolean {
  return text !== '' && !isCut
}

async function ask(
  ports: RoomPorts,
  frame: RequestFrame,
  wish: SummaryWish & Attempt,
  signal: AbortSignal,
): Promise<Draft> {
  const { settings, logger, usage } = ports
  const { model, thoughtLevel, tokensMax, answerTokensMax } = wish
  const request = toSummaryRequest(Math.floor(tokensMax * wordsPerToken), wish.keep)
  const room = windowFor(ports, model) - answerTokensMax - estimateRequest(frame, []).fixed
  const messages = [...(await fitMessages(wish.messages, room)), request]
  // Another model may take fewer tools, and its vendor refuses a request with more.
  const sent = frame.tools.wireTools.filter(({ deferral }) => deferral !== 'deferred')
  const tools = sent.length <= model.toolsMax ? frame.tools.wireTools : sent.slice(0, model.toolsMax)
  const call = await toModelCall(model, {
    ...frame,
    tools,
    messages,
    thoughtLevel,
    cacheKey: settings.cacheKey,
    searchRefusedBy: settings.searchRefusedBy,
    outputTokensMax: answerTokensMax,
  })
  const answer = await readAnswer(model, call, logger, signal)
  if (answer.usage !== undefined) usage.addSide(answer.usage, model)
  const text = model.redact(answer.text.trim())
  const charsMax = tokensMax * charsPerTokenMax
  return { text: text.slice(0, charsMax), isCut: answer.isCut || text.length > charsMax }
}

const promptLinesMax = 40
const promptCharsMax = 240
const earlierCharsMax = 6_000

/** At the end of the conversation, so that the vendor has everything before it in its cache. */
function toSummaryRequest(wordsMax: number, keep: string | undefined): UserMessage {
  const wish = keep === undefined || keep === '' ? '' : `\nThe person asks you to keep in particular: ${keep}`
  return {
    role: 'user',
    id: createMessageId(),
    content: [text(`${instruction} Use at most ${wordsMax} words.${wish}`)],
  }
}

const instruction = `Write a summary of this conversation now. It will replace the messages above, so the work must be able to go on from it alone. Call no tools. Write only the summary, with exactly these headings:

## Goal
What the person wants, and every wish, limit and fact they gave that still holds. Keep names, numbers, paths and quotes exactly.
## Decisions
What was decided and why. What was tried and did not work.
## Files
Each file that was read, changed or created: its path, and what matters about it.
## State
What is done and how it was checked. What is unfinished. Commands, errors and values that are still needed.
## Next steps
What to do next, in order.

If the conversation begins with an earlier summary, carry over everything in it that may still matter.`

export function toPlainSummary(messages: readonly Message[]): string {
  const earlier = messages.filter(isSummary).map(textOf).join('\n')
  const prompts = messages
    .filter(isPrompt)
    .map((message) => `- ${textOf(message).replace(/\s+/g, ' ').trim().slice(0, promptCharsMax)}`)
  const shown =
    prompts.length <= promptLinesMax
      ? prompts
      : [...prompts.slice(0, 10), '- …', ...prompts.slice(10 - promptLinesMax)]
  return [
    ...(earlier === '' ? [] : [earlier.slice(0, earlierCharsMax)]),
    'The earlier messages were left out to make room, and no summary of them could be written. The person wrote:',
    ...shown,
  ].join('\n')
}

function textOf(message: Message): string {
  return message.role === 'user' ? promptText(message.content) : ''
}
