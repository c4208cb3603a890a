import { ProtocolError, type RequestOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { OstlerError } from '../base/errors.ts'
import { createCallClock, type CallTimes } from './call-clock.ts'
import { readPages, type Pages } from './list-pages.ts'
import type { McpCallOptions, McpRequestOptions } from './mcp-client.ts'
import { sdkTimeoutMs, type EstablishedClient } from './sdk-client.ts'
import { carriedRaw } from './transports/carry-raw.ts'
import { LocalFailure } from './transports/local-failure.ts'

export type RequestMeta = Readonly<Record<string, unknown>>

export function withMeta(meta: RequestMeta | undefined): { readonly _meta?: RequestMeta } {
  return meta === undefined ? {} : { _meta: meta }
}

export type RawAnswer = Readonly<Record<string, unknown>>

const requestTimeoutMs = 60_000
const requestTotalMaxMs = 10 * 60_000
/** More than is kept, because some items will be unusable. */
const listedItemsMax = 10_000
const downErrors: ReadonlySet<string> = new Set([
  'mcp.unreachable',
  'mcp.needs_authorization',
  'mcp.needs_login',
])

/** Accepts any answer: it is the stand-in created by `carryRaw`. */
const anything: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'ostler', validate: (value) => ({ value }) },
}

export type SdkRequests = ReturnType<typeof createSdkRequests>

/** The requests of one connection. Each has a timeout. Errors are explained, and a lost connection is detected. */
export function createSdkRequests(
  established: EstablishedClient,
  onLost: (error: OstlerError) => void,
  metaOf: () => RequestMeta | undefined,
) {
  const { client, wire } = established
  const line: Line = {
    ...established,
    onLost,
    lost: undefined,
    isStopped: false,
    running: 0,
    heardAt: performance.now(),
  }
  client.onclose = () => lose(line, wire.explainEnd())

  /** Sends one request as it is, for use in `run`. */
  function send(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<RawAnswer> {
    return client
      .request({ method, params: { ...params, ...withMeta(metaOf()) } }, anything, options)
      .then(carriedRaw)
  }

  /** Sends one request with the default timeout. */
  function request(
    method: string,
    params: Record<string, unknown>,
    options: McpRequestOptions,
  ): Promise<RawAnswer> {
    return run(line, { silenceMs: requestTimeoutMs, totalMs: requestTotalMaxMs }, options, (how) =>
      send(method, params, how),
    )
  }

  return {
    get lost(): OstlerError | undefined {
      return line.lost
    },
    get isBusy(): boolean {
      return line.running > 0
    },
    get heardAt(): number {
      return line.heardAt
    },
    /** Sends one request with its own timeout. `sendIt` gets the options for the SDK. */
    run: <T>(times: CallTimes, options: McpCallOptions, sendIt: (how: RequestOptions) => Promise<T>) =>
      run(line, times, options, sendIt),
    send,
    request,
    list: (method: string, key: string, signal: AbortSignal) => readList(request, method, key, signal),
    ping: (timeoutMs: number) => ping(line, timeoutMs),
    /** From now on, the end of the connection is expected. */
    stop(): void {
      line.isStopped = true
    },
  }
}

interface Line extends Readonly<EstablishedClient> {
  readonly onLost: (error: OstlerError) => void
  lost: OstlerError | undefined
  isStopped: boolean
  running: number
  heardAt: number
}

function lose(line: Line, error: OstlerError): void {
  if (line.lost !== undefined || line.isStopped) return
  line.lost = error
  line.onLost(error)
}

async function run<T>(
  line: Line,
  times: CallTimes,
  callOptions: McpCallOptions,
  send: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { signal, onProgress } = callOptions
  const { questions } = line
  const clock = createCallClock(times)
  const stopWatching = questions.onChange(() => clock.pause(questions.count > 0))
  // The reason is sent to the server, so it is a fixed text.
  const wireSignal = new AbortController()
  const cancel = () => wireSignal.abort('cancelled by the user')
  const expire = () => wireSignal.abort('timed out')
  signal.addEventListener('abort', cancel, { once: true })
  clock.signal.addEventListener('abort', expire, { once: true })
  line.running++
  try {
    if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled')
    const answer = await send({
      signal: wireSignal.signal,
      timeout: sdkTimeoutMs,
      onprogress(progress) {
        line.heardAt = performance.now()
        clock.touch()
        if (!isOfSdk(progress)) onProgress?.(progress)
      },
    })
    line.heardAt = performance.now()
    return answer
  } catch (error) {
    if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
    if (clock.signal.aborted) throw clock.signal.reason
    throw await explain(line, error)
  } finally {
    line.running--
    // The open questions belonged to a call that was given up.
    if (line.running === 0 && wireSignal.signal.aborted) questions.cancel()
    stopWatching()
    clock.stop()
    signal.removeEventListener('abort', cancel)
  }
}

async function explain(line: Line, error: unknown): Promise<OstlerError> {
  const { wire } = line
  const explained = await wire.explain(error)
  if (
    explained.code === 'mcp.http_error' &&
    explained.data['status'] === 404 &&
    wire.transport.sessionId !== undefined
  ) {
    lose(line, new OstlerError('mcp.connection_lost', 'the server has lost this session'))
    return new OstlerError(
      'mcp.session_lost',
      'the server has lost this session and did not run the call; try again',
      {
        cause: error,
      },
    )
  }
  if (downErrors.has(explained.code) && wire.kind !== 'stdio') lose(line, explained)
  // Calls get the first line only. The server's output is shown to the person in the status.
  const summary = explained.data['summary']
  return typeof summary === 'string'
    ? new OstlerError(explained.code, `${summary}; the tool may have run`, { data: explained.data })
    : explained
}

/** Does not use `run`, because any answer counts, even an error, and no call waits for it. */
async function ping(line: Line, timeoutMs: number): Promise<void> {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort('timed out'), timeoutMs).unref()
  try {
    await line.client.request({ method: 'ping' }, anything, { signal: clock.signal, timeout: sdkTimeoutMs })
  } catch (error) {
    if (clock.signal.aborted)
      throw new OstlerError('mcp.connection_lost', `the server did not answer within ${timeoutMs / 1_000} s`)
    if (error instanceof ProtocolError && !(error.data instanceof LocalFailure)) return
    const explained = await explain(line, error)
    const { status } = explained.data
    // A server that merely does not support ping is alive.
    if (line.lost === undefined && typeof status === 'number' && status < 500) return
    throw explained
  } finally {
    clearTimeout(timer)
  }
}

/** The SDK reports its own rounds of questions as progress of the server. The person sees the questions anyway. */
function isOfSdk({ message }: { readonly message?: string }): boolean {
  return message?.startsWith("Fulfilling input required by '") === true
}

function readList(
  request: (
    method: string,
    params: Record<string, unknown>,
    options: McpRequestOptions,
  ) => Promise<RawAnswer>,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<Pages> {
  return readPages(listedItemsMax, async (cursor) => {
    const page = await request(method, cursor === undefined ? {} : { cursor }, { signal })
    if (!Array.isArray(page[key]))
      throw new OstlerError('mcp.call_failed', `the server answered ${method} without a list`)
    return { items: page[key], nextCursor: page['nextCursor'] }
  })
}
