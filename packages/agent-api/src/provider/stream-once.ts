import { InvalidResponseDataError, JSONParseError, type LanguageModelV4CallOptions, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { OstlerError } from '../base/errors.ts'
import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import { createAnswerMeter } from './answer-meter.ts'
import { describeFailure, ownErrorIn } from './failure.ts'
import type { Model } from './model.ts'
import { withWatchdog } from './watchdog.ts'

/** How long a connection may take to close after the last part, so that it can be used again. */
const drainMs = 500

/**
 * One request. Ends normally only after a `finish` that the vendor sent. Leaving early, by an abort or a `break`, ends the connection.
 *
 * From the first tool call on, parts are held back until that `finish`: when a stream is cut, the packages hand out the half-written call as
 * if it were whole.
 */
export async function* streamOnce(
  model: Model,
  call: LanguageModelV4CallOptions,
  signal: AbortSignal,
  idleMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const connection = new AbortController()
  const stalled = () =>
    new OstlerError('model.stalled', `${model.vendorName} stopped answering: nothing came for ${Math.round(idleMs / 1000)} seconds.`)
  const watch = <T>(work: () => PromiseLike<T>) => withWatchdog(work, signal, idleMs, stalled)
  const held: LanguageModelV4StreamPart[] = []
  const measure = createAnswerMeter(model.vendorName)
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined
  try {
    const { stream } = await watch(() => model.languageModel.doStream({ ...call, abortSignal: connection.signal }))
    const parts = stream.getReader()
    reader = parts
    for (;;) {
      const { done, value: part } = await watch(() => read(parts, model))
      if (done) throw streamCut(model)
      // Parts that are already here come without a turn of the event loop between them.
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
      if (isPieceOfCall(part)) continue
      if (held.length > 0 || part.type === 'tool-call') held.push(part)
      else yield part
    }
  } finally {
    connection.abort()
    // Its failure is the one that ended the loop, or does not matter any more.
    void reader?.cancel().catch(() => {})
  }
}

/** The whole call comes after its pieces. */
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

/** A connection that breaks in the middle is a cut, and so is half a line of JSON; what a vendor says in the middle is its own message. */
function toThrown(error: unknown, model: Model): unknown {
  const own = ownErrorIn(error)
  if (own !== undefined) return own
  const isBroken = InvalidResponseDataError.isInstance(error) || JSONParseError.isInstance(error) || describeFailure(error).isConnection
  return isBroken ? streamCut(model, error) : error
}

function streamCut(model: Model, cause?: unknown): OstlerError {
  return new OstlerError('model.stream_cut', `The connection to ${model.vendorName} broke in the middle of the answer.`, {
    data: { model: model.id },
    cause,
  })
}

async function drain(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): Promise<void> {
  const late = Promise.withResolvers<{ done: true }>()
  const timer = setTimeout(() => late.resolve({ done: true }), drainMs)
  try {
    while (!(await Promise.race([reader.read(), late.promise])).done);
  } catch {
    // The answer is complete; how the connection ends is nobody's concern.
  } finally {
    clearTimeout(timer)
  }
}
