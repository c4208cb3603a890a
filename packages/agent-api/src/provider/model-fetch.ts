import { processBudget } from '../http/byte-budget.ts'
import { limitResponse } from '../http/limit-response.ts'
import { answerTooLarge } from './answer-meter.ts'

/** The largest events are pictures, and the repetition of a whole answer at its end. */
const modelEventBytesMax = 16 * 1024 * 1024
/** A vendor wraps each word of an answer in some hundred bytes. */
const modelStreamBytesMax = 256 * 1024 * 1024

/** `fetch` for a vendor's package, which by itself would keep whatever comes until an event is whole. */
export function createModelFetch(vendorName: string): typeof fetch {
  return async (url, init) =>
    limitResponse(await fetch(url, init), {
      eventBytesMax: modelEventBytesMax,
      streamBytesMax: modelStreamBytesMax,
      budget: processBudget,
      tooLarge: (limit) => answerTooLarge(vendorName, limit),
    })
}
