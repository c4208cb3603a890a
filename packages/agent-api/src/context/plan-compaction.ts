import { isPrompt, isSummary, type Compacted, type ShortenedResult } from '../messages/conversation.ts'
import type { Message, ToolCallOutcome } from '../messages/message.ts'
import { toPlainText } from '../messages/tool-output.ts'
import { estimateMessage, estimateResult } from './estimate-tokens.ts'

/** The shares of a window. Making room frees enough for a while, because each time costs the vendor's cache. */
export const shares = {
  target: 0.55,
  newest: 0.25,
  newestByHand: 0.1,
  /** A turn that is being answered stays whole up to this size. */
  openTurn: 0.45,
  worthSummary: 0.05,
} as const

const charsKept = 400
/** Shortening smaller results saves nothing. */
const shortenedTokensMin = 250

interface Candidate extends ShortenedResult {
  readonly saved: number
  readonly weight: number
}

/** Oldest and largest first, until `excess` tokens are saved. Undefined if all of them together do not save as much. */
export function planShortening(
  messages: readonly Message[],
  size: number,
  excess: number,
): readonly ShortenedResult[] | undefined {
  const old = messages.slice(0, newestFrom(messages, size * shares.newest))
  const candidates = old.flatMap((message, index) => candidatesIn(message, messages.length - index))
  const chosen: ShortenedResult[] = []
  let saved = 0
  for (const candidate of candidates.toSorted((a, b) => b.weight - a.weight)) {
    if (saved >= excess) break
    chosen.push({ call: candidate.call, chars: candidate.chars })
    saved += candidate.saved
  }
  return saved >= excess ? chosen : undefined
}

/** Shortens the results that remain when everything else has been left out, all to the same size. */
export function planTrimming(messages: readonly Message[], excess: number): readonly ShortenedResult[] {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const sizes = results.map((outcome) => ({
    call: outcome.id,
    tokens: estimateResult(outcome),
    chars: charsOf(outcome),
  }))
  const large = sizes
    .filter(({ tokens }) => tokens > shortenedTokensMin)
    .toSorted((a, b) => b.tokens - a.tokens)
  let left = excess
  let level = 0
  // Lowers the largest to the size of the next, until enough is saved.
  for (const [index, { tokens }] of large.entries()) {
    const next = large[index + 1]?.tokens ?? shortenedTokensMin
    const step = (tokens - next) * (index + 1)
    level = step >= left ? tokens - left / (index + 1) : next
    left -= step
    if (left <= 0) break
  }
  return large.flatMap(({ call, tokens, chars }) => {
    const kept = Math.max(charsKept, Math.floor((chars * level) / tokens))
    return tokens <= level || kept >= chars ? [] : [{ call, chars: kept }]
  })
}

/** Undefined if there are too few messages. `isOpen` if the last prompt is being answered. */
export function planCompaction(
  messages: readonly Message[],
  size: number,
  isOpen: boolean,
): Omit<Compacted, 'type' | 'summary'> | undefined {
  const lastPrompt = messages.findLastIndex(isPrompt)
  const from = keptFrom(messages, size, isOpen ? lastPrompt : -1)
  let tokens = 0
  const isWorthIt = messages.slice(0, from).some((message, index) => {
    if ((index === lastPrompt && isOpen) || isSummary(message)) return false
    tokens += estimateMessage(message)
    return tokens >= size * shares.worthSummary
  })
  if (!isWorthIt) return undefined
  const isPinned = isOpen && lastPrompt !== -1 && lastPrompt < from
  return { kept: messages.length - from, ...(isPinned && { prompt: messages.length - lastPrompt }) }
}

function keptFrom(messages: readonly Message[], size: number, openPrompt: number): number {
  const isByHand = openPrompt === -1
  const first = newestFrom(messages, size * (isByHand ? shares.newestByHand : shares.newest))
  const turn = messages.findIndex((message, index) => index >= first && isPrompt(message))
  if (turn !== -1 && (isByHand || turn <= openPrompt)) return turn
  if (isByHand) return messages.length
  if (tokensOf(messages.slice(openPrompt)) <= size * shares.openTurn) return openPrompt
  // The turn is too long: keep its prompt and its newest steps.
  const step = messages.findIndex((message, index) => index >= first && message.role === 'assistant')
  const lastStep = messages.findLastIndex(({ role }) => role === 'assistant')
  return Math.max(openPrompt, step === -1 ? lastStep : step)
}

function newestFrom(messages: readonly Message[], tokensMax: number): number {
  let tokens = 0
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message !== undefined) tokens += estimateMessage(message)
    if (tokens > tokensMax) return index + 1
  }
  return 0
}

/** `age` is the number of messages from here to the end. */
function candidatesIn(message: Message, age: number): Candidate[] {
  if (message.role !== 'tool') return []
  return message.results.flatMap((outcome) => {
    const tokens = estimateResult(outcome)
    if (tokens < shortenedTokensMin) return []
    const saved = tokens - shortenedTokensMin / 2
    return [{ call: outcome.id, chars: charsKept, saved, weight: tokens * age }]
  })
}

function charsOf({ result }: ToolCallOutcome): number {
  return result.content.reduce((chars, item) => chars + toPlainText(item).length, 0)
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((tokens, message) => tokens + estimateMessage(message), 0)
}
