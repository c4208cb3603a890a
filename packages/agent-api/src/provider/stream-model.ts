import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { defaultTiming } from '../base/timing.ts'
import type { WireTool } from '../messages/tool.ts'
import { callDefaults } from './call-defaults.ts'
import { withoutWaiting, withVendorSearch } from './deferral.ts'
import { describeFailure, ownErrorIn } from './failure.ts'
import type { Model } from './model.ts'
import { refusesMessage } from './refuses-message.ts'
import { askedDelay, isRetryable, retryDelay, type RetryLimits } from './retry.ts'
import { streamOnce, type StreamOnceOptions } from './stream-once.ts'
import type { ThoughtChoice } from './thought-level.ts'
import { toModelError } from './to-model-error.ts'

export interface StreamOptions extends Pick<StreamOnceOptions, 'signal' | 'onCallNamed'> {
  readonly logger?: Logger
  /** Called before each retry's wait. */
  readonly onRetry?: (retry: Retry) => void
  readonly limits?: Partial<StreamLimits>
}

export interface Retry {
  readonly attempt: number
  readonly delayMs: number
  readonly error: OstlerError
}

type StreamLimits = RetryLimits & Pick<StreamOnceOptions, 'idleMs'>

export const streamLimits: StreamLimits = {
  retriesMax: 3,
  retryDelayMs: defaultTiming.modelRetryMs,
  retryWaitMaxMs: 60_000,
  idleMs: 5 * 60_000,
}

export interface ModelCall extends Omit<LanguageModelV4CallOptions, 'abortSignal' | 'reasoning'> {
  readonly thoughtLevel?: ThoughtChoice
  /** The same for all requests of a conversation. */
  readonly cacheKey?: string
  /** The tools that have to do with schemas that wait, by name, if the vendor searches by itself. */
  readonly waiting?: ReadonlyMap<string, Pick<WireTool, 'deferral' | 'server'>>
  readonly searchRefusedBy?: SearchRefusals
}

/** The ids of models whose endpoints rejected the vendor's tool search in this session, such as those of some gateways. */
export type SearchRefusals = Set<string>

/**
 * Streams one answer of a model. Retries failures until the first part of the answer has arrived. Then throws an `OstlerError` for a
 * person, or the signal's reason on abort. Yields tool calls only once the answer is complete.
 */
export async function* streamModel(
  model: Model,
  { searchRefusedBy, ...call }: ModelCall,
  options: StreamOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { signal } = options
  const limits = { ...streamLimits, ...options.limits }
  let searches = call.waiting !== undefined && searchRefusedBy?.has(model.id) !== true
  let isSearchRejected = false
  let waitLeftMs = limits.retryWaitMaxMs
  for (let attempt = 0; ;) {
    const request = toRequest(model, call, searches)
    const preamble: LanguageModelV4StreamPart[] = []
    let hasBegun = false
    try {
      for await (const part of streamOnce(model, request, { ...options, idleMs: limits.idleMs })) {
        if (!hasBegun && preambleTypes.has(part.type)) {
          preamble.push(part)
          continue
        }
        if (!hasBegun) yield* preamble
        hasBegun = true
        yield part
      }
      // The same request was accepted without it.
      if (isSearchRejected) searchRefusedBy?.add(model.id)
      return
    } catch (caught) {
      signal.throwIfAborted()
      const thrown = ownErrorIn(caught) ?? caught
      const error = toModelError(thrown, model)
      const failure = describeFailure(thrown)
      if (!hasBegun && !withoutSummaries.has(model) && refusesSummaries.test(failure.text)) {
        withoutSummaries.add(model)
        continue
      }
      if (!hasBegun && searches && mayRejectSearch(error)) {
        options.logger?.info('the request was rejected; asking without the vendor’s tool search', {
          model: model.id,
        })
        searches = false
        isSearchRejected = true
        continue
      }
      const isRefusal = error.code === 'model.context_exceeded' || refusesMessage(failure)
      const isTransient = !isRefusal && (isRetryable(failure) || error.code === 'model.stream_cut')
      if (hasBegun || attempt >= limits.retriesMax || waitLeftMs <= 0 || !isTransient) throw error
      const asked = askedDelay(failure)
      // Waiting for less time than the vendor asks for would not help.
      if (asked !== undefined && asked > waitLeftMs) throw withWait(error, asked)
      const delayMs = retryDelay(attempt, failure, { ...limits, retryWaitMaxMs: waitLeftMs })
      waitLeftMs -= delayMs
      options.logger?.info('the model did not answer; retrying', {
        model: model.id,
        attempt,
        delayMs,
        status: failure.status,
      })
      options.onRetry?.({ attempt: attempt + 1, delayMs, error })
      // Only an abort interrupts the sleep. Callers expect the signal's own reason.
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      attempt++
    }
  }
}

/** Any refusal of the request may be about the search: gateways word it in many ways. */
function mayRejectSearch(error: unknown): boolean {
  if (!(error instanceof OstlerError) || !(error.code === 'model.failed' || error.code === 'model.unknown'))
    return false
  const status = error.data['status']
  return status === 400 || status === 404 || status === 422 || status === 501
}

/** Requests of unverified organizations to OpenAI's models must not ask for a summary of the thoughts. */
const withoutSummaries = new WeakSet<Model>()
const refusesSummaries = /verified to generate reasoning summaries/i

function toRequest(model: Model, call: ModelCall, searches: boolean): LanguageModelV4CallOptions {
  const { thoughtLevel, cacheKey, ...sent } = searches
    ? withVendorSearch(model.vendor, call)
    : withoutWaiting(call)
  const { providerOptions, ...defaults } = callDefaults(model, thoughtLevel, {
    hasSummaries: !withoutSummaries.has(model),
    cacheKey,
  })
  return { ...sent, ...defaults, providerOptions: { ...providerOptions, ...sent.providerOptions } }
}

/**
 * Parts before the answer itself, which a retry may repeat without effect. `custom` carries a vendor's metadata about its own message.
 */
const preambleTypes: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
  'stream-start',
  'response-metadata',
  'custom',
  'raw',
  'ping',
])

function withWait(error: OstlerError, ms: number): OstlerError {
  const [unitMs, unit] =
    ms < 120_000 ? [1_000, 's'] : ms < 7_200_000 ? [60_000, 'minutes'] : [3_600_000, 'hours']
  const shown = `${Math.ceil(ms / unitMs)} ${unit}`
  return new OstlerError(error.code, `${error.message} Try again in ${shown}.`, {
    data: { ...error.data },
    cause: error,
  })
}
