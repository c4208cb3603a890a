import { ProtocolError, type RequestOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import { createCallClock, type CallTimes } from './call-clock.ts'
import { readPages, type Pages } from './list-pages.ts'
import type { McpCallOptions, McpRequestOptions } from './mcp-client.ts'
import type { Connection } from './connection.ts'
import { sdkTimeoutMs, type EstablishedClient } from './sdk-client.ts'
import { carriedRaw } from './transports/carry-raw.ts'
import { LocalFailure } from './transports/local-failure.ts'

/** The requests of one connection. Each has a timeout. Errors are explained, and a lost connection is detected. */
export interface SdkRequests extends Pick<Connection, 'lost' | 'isBusy' | 'heardAt'> {
  /** Sends one request with its own timeout. `send` gets the options for the SDK. */
  run<T>(times: CallTimes, options: McpCallOptions, send: (options: RequestOptions) => Promise<T>): Promise<T>
  /** Sends one request as it is, for use in `run`. */
  send(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<RawAnswer>
  /** Sends one request with the default timeout. */
  request(method: string, params: Record<string, unknown>, options: McpRequestOptions): Promise<RawAnswer>
  list(method: string, key: string, signal: AbortSignal): Promise<Pages>
  ping(timeoutMs: number): Promise<void>
  /** From now on, the end of the connection is expected. */
  stop(): void
}

/** Fields that are sent with every request. */
export type RequestMeta = Readonly<Record<string, unknown>>

export function withMeta(meta: RequestMeta | undefined): { readonly _meta?: RequestMeta } {
  return meta === undefined ? {} : { _meta: meta }
}

export type RawAnswer = Readonly<Record<string, unknown>>

const requestTimeoutMs = 60_000
const requestTotalMaxMs = 10 * 60_000
/** More than is kept, because some items will be unusable. */
const listedItemsMax = 10_000
const downErrors: ReadonlySet<string> = new Set(['mcp.unreachable', 'mcp.needs_authorization', 'mcp.needs_login'])

/** Accepts any answer: it is the stand-in created by `carryRaw`. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'ostler', validate: (value) => ({ value }) },
}

export function createSdkRequests(
  { client, wire, questions }: EstablishedClient,
  onLost: (error: OstlerError) => void,
  metaOf: () => RequestMeta | undefined,
): SdkRequests {
  let lost: OstlerError | undefined
  let isStopped = false
  let running = 0
  let heardAt = performance.now()

  function lose(error: OstlerError): void {
    if (lost !== undefined || isStopped) return
    lost = error
    onLost(error)
  }

  client.onclose = () => lose(wire.explainEnd())

  async function run<T>(times: CallTimes, callOptions: McpCallOptions, send: (options: RequestOptions) => Promise<T>): Promise<T> {
    const { signal, onProgress } = callOptions
    const clock = createCallClock(times)
    const stopWatching = questions.onChange(() => clock.pause(questions.count > 0))
    // The reason is sent to the server, so it is a fixed text.
    const wireSignal = new AbortController()
    const cancel = () => wireSignal.abort('cancelled by the user')
    const expire = () => wireSignal.abort('timed out')
    signal.addEventListener('abort', cancel, { once: true })
    clock.signal.addEventListener('abort', expire, { once: true })
    running++
    try {
      if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled')
      const answer = await send({
        signal: wireSignal.signal,
        timeout: sdkTimeoutMs,
        onprogress(progress) {
          heardAt = performance.now()
          clock.touch()
          if (!isOfSdk(progress)) onProgress?.(progress)
        },
      })
      heardAt = performance.now()
      return answer
    } catch (error) {
      if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
      if (clock.signal.aborted) throw clock.signal.reason
      throw await explain(error)
    } finally {
      running--
      // The open questions belonged to a call that was given up.
      if (running === 0 && wireSignal.signal.aborted) questions.cancel()
      stopWatching()
      clock.stop()
      signal.removeEventListener('abort', cancel)
    }
  }

  async function explain(error: unknown): Promise<OstlerError> {
    const explained = await wire.explain(error)
    if (explained.code === 'mcp.http_error' && explained.data['status'] === 404 && wire.transport.sessionId !== undefined) {
      lose(new OstlerError('mcp.connection_lost', 'the server has lost this session'))
      return new OstlerError('mcp.session_lost', 'the server has lost this session and did not run the call; try again', {
        cause: error,
      })
    }
    if (downErrors.has(explained.code) && wire.kind !== 'stdio') lose(explained)
    // Calls get the first line only. The server's output is shown to the person in the status.
    const summary = explained.data['summary']
    return typeof summary === 'string'
      ? new OstlerError(explained.code, `${summary}; the tool may have run`, { data: explained.data })
      : explained
  }

  /** Not through `run`: any answer counts, and no call waits for it. */
  async function ping(timeoutMs: number): Promise<void> {
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort('timed out'), timeoutMs).unref()
    try {
      await client.request({ method: 'ping' }, anything, { signal: clock.signal, timeout: sdkTimeoutMs })
    } catch (error) {
      if (clock.signal.aborted) throw new OstlerError('mcp.connection_lost', `the server did not answer within ${timeoutMs / 1_000} s`)
      if (error instanceof ProtocolError && !(error.data instanceof LocalFailure)) return
      const explained = await explain(error)
      const { status } = explained.data
      // A server that merely does not support ping is alive.
      if (lost === undefined && typeof status === 'number' && status < 500) return
      throw explained
    } finally {
      clearTimeout(timer)
    }
    heardAt = performance.now()
  }

  function send(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<RawAnswer> {
    return client.request({ method, params: { ...params, ...withMeta(metaOf()) } }, anything, options).then(carriedRaw)
  }

  function request(method: string, params: Record<string, unknown>, options: McpRequestOptions): Promise<RawAnswer> {
    return run({ silenceMs: requestTimeoutMs, totalMs: requestTotalMaxMs }, options, (how) => send(method, params, how))
  }

  return {
    get lost() {
      return lost
    },
    get isBusy() {
      return running > 0
    },
    get heardAt() {
      return heardAt
    },
    run,
    send,
    request,
    list: (method, key, signal) => readList(request, { method, key }, signal),
    ping,
    stop() {
      isStopped = true
    },
  }
}

/** The SDK reports its own rounds of questions as progress of the server. The person sees the questions anyway. */
function isOfSdk({ message }: { readonly message?: string }): boolean {
  return message?.startsWith("Fulfilling input required by '") === true
}

function readList(
  request: SdkRequests['request'],
  { method, key }: { readonly method: string; readonly key: string },
  signal: AbortSignal,
): Promise<Pages> {
  return readPages(listedItemsMax, async (cursor) => {
    const page = await request(method, cursor === undefined ? {} : { cursor }, { signal })
    if (!Array.isArray(page[key])) throw new OstlerError('mcp.call_failed', `the server answered ${method} without a list`)
    return { items: page[key], nextCursor: page['nextCursor'] }
  })
}
