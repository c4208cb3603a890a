import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { OstlerError } from '../../errors.ts'
import { patientDispatcher } from './patient-dispatcher.ts'

const messageBytesMax = 10 * 1024 * 1024
const errorBodyBytesMax = 64 * 1024
const retryAfterMaxMs = 30_000
const retryAfterDefaultMs = 1_000
const retriesMax = 2
/** Statuses whose answers have no body to wrap. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/** `fetch` for a server that is not trusted to stop: bodies are capped as they are read, after they are unpacked. */
export const guardedFetch: FetchLike = async (url, init) => {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, { ...init, dispatcher: patientDispatcher })
    if (response.status !== 429 || retries === retriesMax || isToolCall(init?.body)) return capped(response)
    await response.body?.cancel()
    await sleep(retryAfterMs(response.headers.get('retry-after')), undefined, init?.signal ? { signal: init.signal } : {})
  }
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

function capped(response: Response): Response {
  if (response.body === null || bodiless.has(response.status)) return response
  const isEvents = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  const cap = !response.ok ? cutAt(errorBodyBytesMax) : isEvents ? failPerEventAt(messageBytesMax) : failAt(messageBytesMax)
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers })
}

function cutAt(bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytesMax
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      if (left === 0) controller.terminate()
    },
  })
}

function failAt(bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > bytesMax) controller.error(tooLarge(bytesMax))
      else controller.enqueue(chunk)
    },
  })
}

/** A stream may go on for ever; one event, which ends with an empty line, may not. */
function failPerEventAt(bytesMax: number): TransformStream<Uint8Array, Uint8Array> {
  let eventBytes = 0
  let endsLine = false
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        const isNewline = byte === 0x0a || byte === 0x0d
        // Two ends of lines in a row, or the two halves of one, which only makes the count a little too kind.
        eventBytes = isNewline && endsLine ? 0 : eventBytes + 1
        endsLine = isNewline
      }
      if (eventBytes > bytesMax) controller.error(tooLarge(bytesMax))
      else controller.enqueue(chunk)
    },
  })
}

function tooLarge(bytesMax: number): OstlerError {
  return new OstlerError('mcp.result_too_large', `result too large (over ${bytesMax / 1024 / 1024} MB)`)
}
