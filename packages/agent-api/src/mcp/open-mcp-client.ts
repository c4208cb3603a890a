import { messageOf, OstlerError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Redactor } from '../secrets/redact.ts'
import { orAborted } from '../or-aborted.ts'
import { createSlots } from '../slots.ts'
import { tellListeners } from '../tell-listeners.ts'
import type { Connection, ProtocolEra } from './connection.ts'
import { establishConnection, type Established } from './establish-connection.ts'
import { watchHealth, type HealthOptions } from './health.ts'
import type {
  McpClient,
  McpConnectPhases,
  McpHost,
  McpPromptDefinition,
  McpRequestOptions,
  McpStatus,
  McpToolDefinition,
} from './mcp-client.ts'
import type { Logins } from './oauth/logins.ts'
import { createRefresher } from './refresher.ts'
import type { McpServerConfig } from './server-config.ts'

export interface OpenMcpClientOptions {
  readonly config: McpServerConfig
  readonly host: McpHost
  readonly logger: Logger
  readonly redactor: Redactor
  readonly health?: HealthOptions
  /** As in `ConnectOptions`. */
  readonly inputClosedMs?: number
  /** Those of the person; a server that wants one fails without. */
  readonly logins?: Logins | undefined
  /** What a person would log in to; the URL when unset. */
  readonly loginName?: string | undefined
}

const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 16_000]
/** A connection that held this long was a good one: the count of retries begins anew. */
const goodConnectionMs = 30_000
/** Calls that come right after a failed attempt get its error; they do not start another. */
const attemptAgainMs = 1_000
const listChangedWaitMs = 500
/** Only the last line of defence: what a tool, a server and an agent may do at once is the policy's to say. */
const callsAtOnceMax = 64

/** Waiting does not heal these; a call tries all the same, because a person may have. */
const lastingErrors: ReadonlySet<string> = new Set([
  'mcp.command_not_found',
  'mcp.not_executable',
  'mcp.invalid_command',
  'mcp.invalid_cwd',
  'mcp.invalid_url',
  'mcp.invalid_header',
  'mcp.insecure_url',
  'mcp.needs_authorization',
  'mcp.needs_login',
  'mcp.needs_scope',
  'mcp.incompatible_protocol',
])

/**
 * More processes than these that start in the same moment would trample the machine. One gate for the whole process, so a turn is short: a
 * server that takes long to answer must not keep anyone waiting, least of all those of another session.
 */
const starting = createSlots({ activeMax: 8, waitingMax: Number.POSITIVE_INFINITY, of: 'its turn to start' })
const startingTurnMs = 500

/** Connects in the background, stays connected as well as it can, and is the same object all along. */
export function openMcpClient({
  config,
  host,
  logger,
  redactor,
  health,
  inputClosedMs,
  logins,
  loginName,
}: OpenMcpClientOptions): McpClient {
  const lifetime = new AbortController()
  const calls = createSlots({ activeMax: callsAtOnceMax, of: `the server '${config.name}'` })
  const login = config.type === 'stdio' ? undefined : logins?.of(config, loginName)
  const listeners = new Set<() => void>()
  let status: McpStatus = { state: 'connecting', attempt: 1 }
  let tools: readonly McpToolDefinition[] = []
  let prompts: readonly McpPromptDefinition[] = []
  let era: ProtocolEra | undefined
  let connection: Connection | undefined
  let attempt: Promise<Connection> | undefined
  let failure: { error: OstlerError; at: number } | undefined
  let retries = 0
  let retryTimer: NodeJS.Timeout | undefined
  let connectedAt = 0
  /** Reasons that were said already: a server that keeps failing for the same one is news once. */
  const warned = new Set<string>()
  let phases: McpConnectPhases | undefined
  let stopHealth = () => {}
  let stopWaitingForLogin = () => {}
  /** What is left of earlier connections; the next one waits for it, so that no two servers meet over a lock file. */
  let leavings: Promise<void> = Promise.resolve()
  let disposal: Promise<void> | undefined

  const refreshers = {
    tools: createRefresher(listChangedWaitMs, () => refresh('tools')),
    prompts: createRefresher(listChangedWaitMs, () => refresh('prompts')),
  }

  function setStatus(next: McpStatus) {
    if (lifetime.signal.aborted && next.state !== 'disconnected') return
    status = next
    changed()
  }

  function changed() {
    tellListeners(listeners, (listener) => listener(), `the MCP server ${config.name}`, logger)
  }

  /** The one attempt at a time. */
  function connectNow(): Promise<Connection> {
    attempt ??= tryToConnect().finally(() => {
      attempt = undefined
    })
    return attempt
  }

  async function tryToConnect(): Promise<Connection> {
    clearTimeout(retryTimer)
    stopWaitingForLogin()
    setStatus({ state: 'connecting', attempt: retries + 1 })
    try {
      await leavings
      const release = config.type === 'stdio' ? await starting.acquire(lifetime.signal) : undefined
      const turnOver = setTimeout(() => release?.(), startingTurnMs).unref()
      try {
        const onListChanged = (list: 'tools' | 'prompts') => refreshers[list].changed()
        const options = { config, host, logger, redactor, login, era, inputClosedMs, onListChanged, onLost: lose }
        return await establishConnection(options, lifetime.signal, connected)
      } finally {
        clearTimeout(turnOver)
        release?.()
      }
    } catch (thrown) {
      const error = lifetime.signal.aborted ? disposedError() : known(thrown)
      failure = { error, at: performance.now() }
      scheduleRetry(error)
      throw error
    }
  }

  function connected(made: Established) {
    connection = made.connection
    connectedAt = performance.now()
    era = made.connection.era
    failure = undefined
    stopHealth = watchHealth(made.connection, (error) => lose(made.connection, error), health)
    tools = made.tools
    prompts = made.prompts
    phases = made.phases
    for (const warning of made.warnings) logger.warn(`MCP server ${config.name}: ${warning}`)
    setStatus({ state: 'connected', server: made.connection.server, warnings: made.warnings })
    void login?.accepted()
  }

  function lose(made: Connection, error: OstlerError) {
    if (connection !== made) return
    connection = undefined
    stopHealth()
    failure = { error, at: Number.NEGATIVE_INFINITY }
    leavings = Promise.resolve(made[Symbol.asyncDispose]())
    if (performance.now() - connectedAt >= goodConnectionMs) {
      retries = 0
      warned.clear()
    }
    scheduleRetry(error)
  }

  function scheduleRetry(error: OstlerError) {
    if (lifetime.signal.aborted) return
    const delay = isLasting(error) || retries >= (config.retryAttempts ?? retryDelaysMs.length) ? undefined : retryDelaysMs[retries]
    // What it printed stands below the first line, and may be different each time.
    const [reason = ''] = error.message.split('\n')
    logger[warned.has(reason) ? 'debug' : 'warn'](`MCP server ${config.name}: ${error.message}`, {
      code: error.code,
      willRetry: delay !== undefined,
    })
    warned.add(reason)
    const needsLogin = asksForLogin(error)
    setStatus({ state: 'error', reason: error.message, willRetry: delay !== undefined, ...(needsLogin && { needsLogin }) })
    if (needsLogin && login !== undefined) stopWaitingForLogin = login.onNews(() => void connectNow().catch(() => {}))
    if (delay === undefined) return
    retries++
    retryTimer = setTimeout(() => void connectNow().catch(() => {}), delay).unref()
  }

  async function refresh(list: 'tools' | 'prompts') {
    const current = connection
    if (current === undefined) return
    try {
      const listed = list === 'tools' ? await current.listTools(lifetime.signal) : await current.listPrompts(lifetime.signal)
      if (connection !== current) return
      if (list === 'tools') tools = listed.items as readonly McpToolDefinition[]
      else prompts = listed.items as readonly McpPromptDefinition[]
      if (status.state === 'connected') setStatus({ ...status, warnings: listed.warnings })
    } catch (error) {
      if (lifetime.signal.aborted) return
      // The last good list stays.
      logger.warn(`MCP server ${config.name}: its ${list} have changed but could not be listed`, { error: messageOf(error) })
    }
  }

  /** The connection; one that is on its way is waited for, one that was lost is made anew. */
  async function ready(signal: AbortSignal): Promise<Connection> {
    if (connection !== undefined) return connection
    const hasJustFailed = failure !== undefined && performance.now() - failure.at < attemptAgainMs
    if (attempt === undefined && hasJustFailed && failure !== undefined) throw unavailable(failure.error)
    const connecting = connectNow().catch((error: unknown) => {
      throw unavailable(known(error))
    })
    const made = await orAborted(connecting, signal, undefined)
    if (made === undefined) throw signal.reason
    return made
  }

  /** Every use of the connection: cancellable, and over at the latest when the client is. */
  async function use<T>(options: McpRequestOptions, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([options.signal, lifetime.signal])
    try {
      return await action(signal)
    } catch (error) {
      if (lifetime.signal.aborted) throw disposedError()
      if (options.signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled', { cause: error })
      throw known(error)
    }
  }

  /** Anything else is a mistake of ours, whose text is for the log only. */
  function known(error: unknown): OstlerError {
    if (error instanceof OstlerError) return error
    logger.error(`MCP server ${config.name}: unexpected error`, { error: messageOf(error) })
    return new OstlerError('mcp.failed', 'unexpected error', { cause: error })
  }

  async function dispose() {
    lifetime.abort(disposedError())
    clearTimeout(retryTimer)
    stopWaitingForLogin()
    for (const refresher of Object.values(refreshers)) refresher.stop()
    await attempt?.catch(() => {})
    const last = connection
    connection = undefined
    stopHealth()
    await Promise.all([leavings, last?.[Symbol.asyncDispose]()])
    setStatus({ state: 'disconnected' })
  }

  const settled = connectNow().then(
    () => {},
    () => {},
  )

  return {
    name: config.name,
    config,
    settled,
    get status() {
      return status
    },
    get tools() {
      return tools
    },
    get prompts() {
      return prompts
    },
    get failure() {
      return failure?.error
    },
    get phases() {
      return phases
    },
    callTool: (name, args, options) =>
      use(options, async (signal) => {
        // Before the connection, so that what waits for a server that is away is bounded too.
        const release = await calls.acquire(signal)
        try {
          const result = await (await ready(signal)).callTool(name, args, { ...options, signal })
          retries = 0
          return result
        } finally {
          release()
        }
      }),
    getPrompt: (name, args, options) => use(options, async (signal) => (await ready(signal)).getPrompt(name, args, { signal })),
    listResources: (options) => use(options, async (signal) => (await ready(signal)).listResources({ signal })),
    readResource: (uri, options) => use(options, async (signal) => (await ready(signal)).readResource(uri, { signal })),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.asyncDispose]() {
      disposal ??= dispose()
      return disposal
    },
  }
}

/** A secret that cannot be read is asked for no more often than a person looks. */
function isLasting({ code }: OstlerError): boolean {
  return lastingErrors.has(code) || code.startsWith('secrets.')
}

export function asksForLogin({ code }: OstlerError): boolean {
  return code === 'mcp.needs_login' || code === 'mcp.needs_scope'
}

function disposedError(): OstlerError {
  return new OstlerError('mcp.disposed', 'the connection has been closed')
}

/** For a call, the first line says enough; what the server printed is in the status. */
function unavailable(error: OstlerError): OstlerError {
  const [summary = ''] = error.message.split('\n')
  return new OstlerError(error.code, `the server is not available: ${summary}`, { data: { ...error.data }, cause: error })
}
