import { joinDeltas } from './join-deltas.ts'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { OstlerError } from '../base/errors.ts'
import { formatBytes } from '../base/quantities.ts'
import { processBudget } from '../http/byte-budget.ts'
import { limitResponse } from '../http/limit-response.ts'
import { redirectReason } from '../http/redirect-reason.ts'

/** About 500,000 tokens: more than a model writes at once, and small enough to keep in a conversation. */
const answerBytesMax = 2 * 1024 * 1024
const callArgumentsBytesMax = 1024 * 1024

/** Counts the parts of one answer as they arrive. Throws `model.answer_too_large` if the answer is too large to keep. */
export function createAnswerMeter(vendorName: string): (part: LanguageModelV4StreamPart) => void {
  const callBytes = new Map<string, number>()
  let answerBytes = 0

  return (part) => {
    if (part.type !== 'text-delta' && part.type !== 'reasoning-delta' && part.type !== 'tool-input-delta')
      return
    const bytes = Buffer.byteLength(part.delta)
    answerBytes += bytes
    if (answerBytes > answerBytesMax)
      throw answerTooLarge(vendorName, `the answer is over ${formatBytes(answerBytesMax)}`)
    if (part.type !== 'tool-input-delta') return
    const argumentsBytes = (callBytes.get(part.id) ?? 0) + bytes
    callBytes.set(part.id, argumentsBytes)
    if (argumentsBytes > callArgumentsBytesMax)
      throw answerTooLarge(
        vendorName,
        `the arguments of one call are over ${formatBytes(callArgumentsBytesMax)}`,
      )
  }
}

function answerTooLarge(vendorName: string, limit: string): OstlerError {
  return new OstlerError('model.answer_too_large', `The answer of ${vendorName} was cut off: ${limit}.`)
}

/** The largest events contain images, or repeat a whole answer at its end. */
const modelEventBytesMax = 16 * 1024 * 1024
/** Vendors wrap each word of an answer in about a hundred bytes. */
const modelStreamBytesMax = 256 * 1024 * 1024

/** A bounded `fetch` for a vendor's package, which would otherwise buffer an event of any size, and send the key wherever a redirect leads. */
export function createModelFetch(vendorName: string): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, redirect: 'manual' })
    const redirect = redirectReason(url instanceof Request ? url.url : url, response)
    if (redirect !== undefined) {
      await response.body?.cancel()
      throw new OstlerError('model.redirected', `${vendorName} could not answer: ${redirect}.`)
    }
    return limitResponse(response, {
      eventBytesMax: modelEventBytesMax,
      streamBytesMax: modelStreamBytesMax,
      budget: processBudget,
      tooLarge: (limit) => answerTooLarge(vendorName, limit),
      filter: joinDeltas(),
    })
  }
}
