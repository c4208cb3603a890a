import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { createByteBudget, processBudget } from '../../http/byte-budget.ts'
import { limitResponse } from '../../http/limit-response.ts'
import { messageBytesMax, messageValuesMax } from './message-limits.ts'
import type { RequestId } from './pending-requests.ts'
import { patientDispatcher } from './patient-dispatcher.ts'

const serverBytesMax = 32 * 1024 * 1024
/** A server that talks faster than this is made to wait for the next second: it may not have all of our time. */
const eventsPerSecondMax = 5_000
const retryAfterMaxMs = 30_000
const retryAfterDefaultMs = 1_000
const retriesMax = 2

/** Called with the id of the request whose answer is too large, where the answer belongs to one request. */
export type OnTooLarge = (id: RequestId | undefined, error: OstlerError) => void

/** `fetch` for one server that is not trusted to stop: what is held of its answers is limited, of each and of all together. */
export function createGuardedFetch(onTooLarge?: OnTooLarge): FetchLike {
  const budget = createByteBudget({
    bytesMax: serverBytesMax,
    holder: 'the unfinished answers of this server together',
    within: processBudget,
  })
  return async (url, init) => {
    const tooLarge = (limit: string) => {
      const error = new OstlerError('mcp.result_too_large', `result too large: ${limit}`)
      onTooLarge?.(requestIdOf(init?.body), error)
      return error
    }
    for (let retries = 0; ; retries++) {
      const response = await fetch(url, { ...init, dispatcher: patientDispatcher })
      if (response.status !== 429 || retries === retriesMax || isToolCall(init?.body))
        return limitResponse(response, {
          eventBytesMax: messageBytesMax,
          eventValuesMax: messageValuesMax,
          eventsPerSecondMax,
          budget,
          tooLarge,
        })
      await response.body?.cancel()
      await sleep(retryAfterMs(response.headers.get('retry-after')), undefined, init?.signal ? { signal: init.signal } : {})
    }
  }
}

/** The body is the message as the SDK wrote it. */
function requestIdOf(body: unknown): RequestId | undefined {
  return typeof body === 'string' && body.startsWith('{') ? (JSON.parse(body) as { id?: RequestId }).id : undefined
}

/** A call is never sent twice, whatever the server says about the first. */
function isToolCall(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"tools/call"')
}

/** Seconds or a date; what is neither means a second. */
export function retryAfterMs(header: string | null): number {
  const text = header?.trim() ?? ''
  // `Date.parse` makes a date of nearly anything; one of HTTP begins with the day of the week.
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) - Date.now() : NaN
  return Number.isNaN(ms) ? retryAfterDefaultMs : Math.min(Math.max(ms, 0), retryAfterMaxMs)
}
