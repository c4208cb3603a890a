import { OstlerError } from '../base/errors.ts'
import { processBudget } from '../http/byte-budget.ts'
import { limitResponse } from '../http/limit-response.ts'
import { redirectReason } from '../http/redirect-reason.ts'
import { answerTooLarge } from './answer-meter.ts'
import { joinDeltas } from './join-deltas.ts'

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
    const limited = limitResponse(response, {
      eventBytesMax: modelEventBytesMax,
      streamBytesMax: modelStreamBytesMax,
      budget: processBudget,
      tooLarge: (limit) => answerTooLarge(vendorName, limit),
    })
    return joinDeltas(limited)
  }
}
