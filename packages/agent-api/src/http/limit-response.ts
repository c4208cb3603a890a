import { setImmediate as turnOfOthers, setTimeout as sleep } from 'node:timers/promises'
import { createThrottle } from '../base/throttle.ts'
import type { ByteBudget } from './byte-budget.ts'
import { formatBytes } from '../base/quantities.ts'
import { createValueCounter } from '../base/value-counter.ts'
import { createArrivals } from './arrivals.ts'

interface ResponseLimits {
  /** Maximum size of one event of an event stream. Any other body counts as one event. */
  readonly eventBytesMax: number
  readonly eventValuesMax?: number
  /** Maximum size of a whole event stream. Unlimited if undefined. */
  readonly streamBytesMax?: number
  /** Maximum event rate of an event stream. Faster servers have to wait for the next second. */
  readonly eventsPerSecondMax?: number
  /** Bytes count here until their event is complete. */
  readonly budget: ByteBudget
  /** Creates the error for the reader. Called once, before the reader receives the error. */
  readonly tooLarge: (limit: string) => Error
  /** Applied to an event stream after its bytes were counted. */
  readonly filter?: ByteFilter
}

/** Changes bytes that arrive in pieces, and may hold some back. */
export interface ByteFilter {
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** Enough for an error message; the rest of an error page is dropped. */
const errorBodyBytesMax = 64 * 1024
/** Bytes that a reader handles without a pause. Small, because a single short event can cost a reader a hundred microseconds. */
const pieceBytesMax = 16 * 1024
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304])

/** Limits the response of a server that may never stop sending. Counts the body as it is read, after decompression. */
export function limitResponse(response: Response, limits: ResponseLimits): Response {
  if (response.body === null || bodiless.has(response.status)) return response
  const isEvents = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  const body = response.ok
    ? limitBody(response.body, isEvents, limits)
    : response.body.pipeThrough(cutAt(errorBodyBytesMax))
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** Passes on small pieces and lets other work run before each. A flood must not keep the process from noticing a cancellation. */
function limitBody(
  body: ReadableStream<Uint8Array>,
  isEvents: boolean,
  limits: ResponseLimits,
): ReadableStream<Uint8Array> {
  const {
    eventBytesMax,
    eventValuesMax = Infinity,
    streamBytesMax = Infinity,
    eventsPerSecondMax = Infinity,
    budget,
  } = limits
  const reader = body.getReader()
  const nextArrived = createArrivals(reader, pieceBytesMax)
  const count = isEvents ? createEventCounter(eventValuesMax < Infinity) : createBodyCounter()
  const one = isEvents ? 'one event' : 'the answer'
  const throttle = createThrottle(eventsPerSecondMax)
  let rest: Uint8Array = new Uint8Array(0)
  let totalBytes = 0
  let heldBytes = 0
  let waitMs = 0
  const filter = isEvents ? limits.filter : undefined

  function check(piece: Uint8Array) {
    const { ended, bytes, values } = count(piece)
    waitMs = throttle(ended)
    totalBytes += piece.length
    const limit =
      bytes > eventBytesMax
        ? `${one} is over ${formatBytes(eventBytesMax)}`
        : totalBytes > streamBytesMax
          ? `the answer is over ${formatBytes(streamBytesMax)}`
          : values > eventValuesMax
            ? `${one} holds more than ${eventValuesMax} values`
            : budget.take(bytes - heldBytes)
    if (limit !== undefined) throw limits.tooLarge(limit)
    heldBytes = bytes
  }

  /** Undefined at the end. */
  async function nextPiece(): Promise<Uint8Array | undefined> {
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
    if (rest.length > 0) await turnOfOthers()
    if (rest.length === 0) {
      const arrived = await nextArrived()
      if (arrived === undefined) {
        release()
        return undefined
      }
      rest = arrived
    }
    const piece = rest.subarray(0, pieceBytesMax)
    rest = rest.subarray(piece.length)
    check(piece)
    return piece
  }

  function release() {
    budget.take(-heldBytes)
    heldBytes = 0
  }

  // An aborted request may have no reader any more. The rest of its body must not be counted again.
  reader.closed.catch(() => {
    rest = new Uint8Array(0)
    release()
  })
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const piece = await nextPiece()
            const passed = filter === undefined ? piece : piece ? filter.push(piece) : filter.end()
            if (passed !== undefined && passed.length > 0) controller.enqueue(passed)
            if (piece === undefined) return controller.close()
            if (passed?.length !== 0) return
          }
        } catch (error) {
          release()
          controller.error(error)
          void reader.cancel(error).catch(() => undefined)
        }
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** Estimated memory of a line beyond its text. Many short lines take more memory than their bytes. */
const lineCostBytes = 64

interface Counted {
  readonly ended: number
  readonly bytes: number
  /** Highest number of JSON values in any event of this piece. */
  readonly values: number
}

function createBodyCounter(): (piece: Uint8Array) => Counted {
  const values = createValueCounter()
  let bytes = 0
  return (piece) => {
    bytes += piece.length
    values.add(piece, 0, piece.length)
    return { ended: 0, bytes, values: values.count }
  }
}

/** An empty line ends an event. CR LF, LF and CR each end a line. */
function createEventCounter(countsValues: boolean): (piece: Uint8Array) => Counted {
  const values = countsValues ? createValueCounter() : undefined
  let bytes = 0
  let isLineEmpty = true
  let isAfterReturn = false
  return (piece) => {
    let ended = 0
    let valuesOfLargest = 0
    let eventStart = 0
    for (let at = 0; at < piece.length; at++) {
      const end = lineEndFrom(piece, at)
      if (end > at) isLineEmpty = isAfterReturn = false
      bytes += end - at
      at = end
      const isSecondHalf = piece[at] === lineFeed && isAfterReturn
      isAfterReturn = piece[at] === carriageReturn
      if (isSecondHalf || at === piece.length) continue
      if (isLineEmpty) {
        ended++
        bytes = 0
        values?.add(piece, eventStart, at + 1)
        valuesOfLargest = Math.max(valuesOfLargest, values?.count ?? 0)
        values?.reset()
        eventStart = at + 1
      } else bytes += lineCostBytes
      isLineEmpty = true
    }
    values?.add(piece, eventStart, piece.length)
    return { ended, bytes, values: Math.max(valuesOfLargest, values?.count ?? 0) }
  }
}

/** Hot loop: sees every byte of every answer. */
function lineEndFrom(piece: Uint8Array, from: number): number {
  let at = from
  while (at < piece.length && piece[at] !== lineFeed && piece[at] !== carriageReturn) at++
  return at
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
