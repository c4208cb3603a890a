import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { OstlerError } from '../../base/errors.ts'
import { createByteBudget, processBudget } from '../../http/byte-budget.ts'
import { limitResponse } from '../../http/limit-response.ts'
import { parseRetryAfter } from '../../http/retry-after.ts'
import { messageBytesMax } from './message-limits.ts'
import { parsedValuesMax } from '../../base/value-counter.ts'
import type { RequestId } from './pending-requests.ts'

const serverBytesMax = 32 * 1024 * 1024
/** Faster servers have to wait for the next second, so that they do not use up our time. */
const eventsPerSecondMax = 5_000
const retryAfterMaxMs = 30_000
const retryAfterDefaultMs = 1_000
const retriesMax = 2

/** Called when an answer is too large, with the id of its request if it belongs to one. */
export type OnTooLarge = (id: RequestId | undefined, error: OstlerError) => void

/** A `fetch` for a server that may never stop sending. Limits the size of each answer and of all answers together. */
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
      const isRefused = response.status === 429 && retries < retriesMax
      if (!isRefused || (isToolCall(init?.body) && !namesShortWait(response)))
        return limitResponse(response, {
          eventBytesMax: messageBytesMax,
          eventValuesMax: parsedValuesMax,
          eventsPerSecondMax,
          budget,
          tooLarge,
        })
      await response.body?.cancel()
      await sleep(
        retryAfterMs(response.headers.get('retry-after')),
        undefined,
        init?.signal ? { signal: init.signal } : {},
      )
    }
  }
}

/** The body is a message serialized by the SDK. */
function requestIdOf(body: unknown): RequestId | undefined {
  return typeof body === 'string' && body.startsWith('{')
    ? (JSON.parse(body) as { id?: RequestId }).id
    : undefined
}

/** A call is sent again only if the server has refused it and says when. It certainly did not run. */
function namesShortWait({ headers }: Response): boolean {
  const ms = parseRetryAfter(headers.get('retry-after'))
  return ms !== undefined && ms <= retryAfterMaxMs
}

function isToolCall(body: unknown): boolean {
  return typeof body === 'string' && body.includes('"tools/call"')
}

export function retryAfterMs(header: string | null): number {
  return Math.min(parseRetryAfter(header) ?? retryAfterDefaultMs, retryAfterMaxMs)
}

type Dispatcher = NonNullable<RequestInit['dispatcher']>

/**
 * Removes the five-minute timeouts of Node's `fetch`: calls have their own, configurable timeouts. Keeps all other settings, such as a
 * proxy.
 */
const patientDispatcher = {
  dispatch: (options, handler) =>
    nodesDispatcher().dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
} as Pick<Dispatcher, 'dispatch'> as Dispatcher

/** The global dispatcher is only reachable through this symbol. `fetch` uses the one with the highest number. */
function nodesDispatcher(): Pick<Dispatcher, 'dispatch'> {
  const global = globalThis as unknown as Readonly<Record<symbol, Dispatcher | undefined>>
  const dispatcher =
    global[Symbol.for('undici.globalDispatcher.2')] ?? global[Symbol.for('undici.globalDispatcher.1')]
  if (dispatcher === undefined) throw new Error('fetch has no dispatcher')
  return dispatcher
}
