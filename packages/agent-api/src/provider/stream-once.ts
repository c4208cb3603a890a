import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { OstlerError } from '../base/errors.ts'
import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import { createAnswerMeter } from './answer-limits.ts'
import { describeFailure, ownErrorIn } from './failure.ts'
import type { Model } from './model.ts'
import { atMost, onAbort } from '../base/or-aborted.ts'

/** Time for a connection to close after the last part, so that it can be reused. */
const drainMs = 500

export interface StreamOnceOptions {
  readonly signal: AbortSignal
  /** Maximum silence before the model counts as stalled. */
  readonly idleMs: number
  /** Called when the name of a call has arrived. The call itself comes once the answer is complete. */
  readonly onCallNamed?: (toolName: string) => void
}

/**
 * Streams one request. Ends normally only after the vendor's `finish`. An abort or a `break` closes the connection. From the first tool
 * call on, parts are held back until `finish`: if a stream is cut, the packages present a half-written call as complete.
 */
export async function* streamOnce(
  model: Model,
  call: LanguageModelV4CallOptions,
  { signal, idleMs, onCallNamed }: StreamOnceOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const connection = new AbortController()
  const stalled = () =>
    new OstlerError(
      'model.stalled',
      `${model.vendorName} stopped responding: no data for ${Math.round(idleMs / 1000)} seconds.`,
    )
  using watchdog = openWatchdog(signal, idleMs, stalled)
  const held: LanguageModelV4StreamPart[] = []
  const measure = createAnswerMeter(model.vendorName)
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined
  try {
    const { stream } = await watchdog.watch(() =>
      model.languageModel.doStream({ ...call, abortSignal: connection.signal }),
    )
    const parts = stream.getReader()
    reader = parts
    for (;;) {
      const { done, value: part } = await watchdog.watch(() => read(parts, model))
      if (done) throw streamCut(model)
      // Buffered parts arrive without yielding to the event loop.
      if (isSliceOver()) await nextTurn()
      measure(part)
      if (part.type === 'error') throw toThrown(part.error, model)
      if (part.type === 'finish') {
        if (part.finishReason.unified === 'interrupted') throw streamCut(model)
        for (const late of held) {
          if (isSliceOver()) await nextTurn()
          yield late
        }
        yield part
        await drain(parts)
        return
      }
      if (part.type === 'tool-input-start') onCallNamed?.(part.toolName)
      if (isPieceOfCall(part)) continue
      if (held.length > 0 || (part.type === 'tool-call' && part.providerExecuted !== true)) held.push(part)
      else yield part
    }
  } finally {
    connection.abort()
    // Ignore errors: either they already ended the loop, or they no longer matter.
    void reader?.cancel().catch(() => {})
  }
}

/** The complete call follows its pieces. */
function isPieceOfCall({ type }: LanguageModelV4StreamPart): boolean {
  return type === 'tool-input-start' || type === 'tool-input-delta' || type === 'tool-input-end'
}

async function read(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>, model: Model) {
  try {
    return await reader.read()
  } catch (error) {
    throw toThrown(error, model)
  }
}

/** A broken connection and incomplete JSON count as a cut stream. An error sent by the vendor keeps its own message. */
function toThrown(error: unknown, model: Model): unknown {
  const own = ownErrorIn(error)
  if (own !== undefined) return own
  const isBroken =
    InvalidResponseDataError.isInstance(error) ||
    JSONParseError.isInstance(error) ||
    describeFailure(error).isConnection
  return isBroken ? streamCut(model, error) : error
}

function streamCut(model: Model, cause?: unknown): OstlerError {
  return new OstlerError(
    'model.stream_cut',
    `The connection to ${model.vendorName} was lost during the answer.`,
    {
      data: { model: model.id },
      cause,
    },
  )
}

async function drain(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): Promise<void> {
  const readRest = async () => {
    while (!(await reader.read()).done);
  }
  // The answer is complete, so errors while closing do not matter.
  await atMost(
    drainMs,
    readRest().catch(() => undefined),
    undefined,
  )
}

/** One timer and one listener for all parts of a stream, because a part may be a single word. */
function openWatchdog(signal: AbortSignal, idleMs: number, stalled: () => Error) {
  let interrupt: ((reason: unknown) => void) | undefined
  const aborting = onAbort(signal, () => interrupt?.(signal.reason))
  const timer = setTimeout(() => interrupt?.(stalled()), idleMs)
  return {
    /** Rejects when the signal aborts or when the work takes longer than `idleMs`. The caller must then stop the work. */
    watch: <T>(work: () => PromiseLike<T>) =>
      new Promise<T>((resolve, reject) => {
        signal.throwIfAborted()
        interrupt = reject
        timer.refresh()
        work().then(resolve, reject)
      }),
    [Symbol.dispose]() {
      clearTimeout(timer)
      aborting[Symbol.dispose]()
    },
  }
}
