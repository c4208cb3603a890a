import { messageOf, OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Redactor } from '../redaction/redact.ts'
import { orAborted } from '../base/or-aborted.ts'
import { createSlots } from '../base/slots.ts'
import { tellListeners } from '../base/tell-listeners.ts'
import type { Connection } from './connection.ts'
import {
  after,
  failureOf,
  isWithdrawn,
  opening,
  toStatus,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.ts'
import { establishConnection, type Established } from './establish-connection.ts'
import { watchHealth } from './health.ts'
import type { McpClient, McpHost, McpRequestOptions } from './mcp-client.ts'
import type { Logins } from './oauth/logins.ts'
import { createRefresher } from './refresher.ts'
import { secretsOf } from './secrets-of.ts'
import type { McpServerConfig } from './server-config.ts'
import { timingFor, type Timing } from './timing.ts'

export interface OpenMcpClientOptions {
  readonly config: McpServerConfig
  readonly host: McpHost
  readonly logger: Logger
  readonly redactor: Redactor
  readonly timing?: Partial<Timing> | undefined
  /** Those of the person; a server that wants one fails without. */
  readonly logins?: Logins | undefined
  /** What a person would log in to; the URL when unset. */
  readonly loginName?: string | undefined
}

const connectTimeoutDefaultMs = 30_000
/** Many agents may wait for one server: they must not all come back in the same moment. */
const jitterMax = 0.2
/** Only the last line of defence: what a tool, a server and an agent may do at once is the policy's to say. */
const callsAtOnceMax = 64
const none: readonly never[] = []

/**
 * More processes than these that start in the same moment would trample the machine. One gate for the whole process, so a turn is short: a
 * server that takes long to answer must not keep anyone waiting, least of all those of another session.
 */
const starting = createSlots({ activeMax: 8, waitingMax: Number.POSITIVE_INFINITY, of: 'its turn to start' })
const startingTurnMs = 500

/**
 * Connects in the background, stays connected as well as it can, and is the same object all along. The rules are in `after`; this performs
 * their effects.
 */
export function openMcpClient(options: OpenMcpClientOptions): McpClient {
  const { config, host, logger, redactor, logins, loginName } = options
  const timing = timingFor(options.timing, config.retryAttempts)
  // Here, so that no caller can forget it.
  for (const secret of secretsOf(config)) redactor.add(secret)
  const lifetime = new AbortController()
  const calls = createSlots({ activeMax: callsAtOnceMax, of: `the server '${config.name}'` })
  const login = config.type === 'stdio' ? undefined : logins?.of(config, loginName)
  const listeners = new Set<() => void>()
  let state: ConnectionState = opening.state
  /** The connection, while the state is `connected`. */
  let link: { readonly connection: Connection; readonly stopHealth: () => void } | undefined
  /** The last connection that stood, and what its server offered. */
  let last: Established | undefined
  /** The attempt that is under way or was the last one; never rejects. */
  let attempt: Promise<void> = Promise.resolve()
  /** Of the attempts, the last one that somebody waits for: the first, or one that a session or the person wanted. */
  let settled = attempt
  let stopWaiting = () => {}
  /** What is left of earlier connections; the next one waits for it, so that no two servers meet over a lock file. */
  let leavings: Promise<unknown> = Promise.resolve()
  let disposal: Promise<void> | undefined

  const refreshers = {
    tools: createRefresher(timing.listChangedMs, () => refresh('tools')),
    prompts: createRefresher(timing.listChangedMs, () => refresh('prompts')),
  }

  function happen(event: ConnectionEvent): void {
    const before = state
    const { state: next, effects } = after(before, event, performance.now(), timing)
    state = next
    for (const effect of effects) perform(effect)
    if (state !== before && event.type !== 'answered') changed()
  }

  function perform(effect: ConnectionEffect): void {
    switch (effect.type) {
      case 'connect':
        stopWaiting()
        attempt = connectOnce()
        return
      case 'disconnect':
        link?.stopHealth()
        leavings = Promise.all([leavings, link?.connection[Symbol.asyncDispose]()])
        link = undefined
        return
      case 'wait':
        stopWaiting = waitFor(effect)
        return
      case 'log':
        logger[effect.level](`MCP server ${config.name}: ${effect.message}`, effect.error && { code: effect.error.code })
    }
  }

  function waitFor({ retryMs, forLogin }: ConnectionEffect & { readonly type: 'wait' }): () => void {
    const timer =
      retryMs === undefined
        ? undefined
        : setTimeout(() => happen({ type: 'wanted', by: 'retry' }), retryMs * (1 - jitterMax * Math.random())).unref()
    const stopWaitingForLogin = forLogin ? login?.onNews(() => happen({ type: 'wanted', by: 'login' })) : undefined
    return () => {
      clearTimeout(timer)
      stopWaitingForLogin?.()
    }
  }

  function changed() {
    tellListeners(listeners, (listener) => listener(), `the MCP server ${config.name}`, logger)
  }

  async function connectOnce(): Promise<void> {
    try {
      await leavings
      const release = config.type === 'stdio' ? await starting.acquire(lifetime.signal) : undefined
      const turnOver = setTimeout(() => release?.(), startingTurnMs).unref()
      try {
        await establishInTime()
      } finally {
        clearTimeout(turnOver)
        release?.()
      }
    } catch (error) {
      if (!lifetime.signal.aborted) happen({ type: 'failed', error: known(error) })
    }
  }

  /** Throws as soon as the time is up, though the server may take a while to end. */
  async function establishInTime(): Promise<void> {
    const timeoutMs = config.connectTimeoutMs ?? connectTimeoutDefaultMs
    const clock = new AbortController()
    const timer = setTimeout(() => {
      clock.abort(new OstlerError('mcp.connect_timeout', `did not answer within ${timeoutMs / 1_000} s`))
    }, timeoutMs)
    const onListChanged = (list: 'tools' | 'prompts') => refreshers[list].changed()
    const making = establishConnection(
      { config, host, logger, redactor, login, era: last?.connection.era, timing, onListChanged, onLost: lose },
      AbortSignal.any([lifetime.signal, clock.signal]),
      connected,
    )
    leavings = making.catch(() => {})
    try {
      await orAborted(making, clock.signal, undefined)
      clock.signal.throwIfAborted()
    } finally {
      clearTimeout(timer)
    }
  }

  function connected(made: Established) {
    const { connection, warnings } = made
    last = made
    link = { connection, stopHealth: watchHealth(connection, (error) => lose(connection, error), timing) }
    happen({ type: 'connected', server: connection.server, warnings })
    void login?.accepted()
  }

  function lose(connection: Connection, error: OstlerError) {
    if (link?.connection === connection) happen({ type: 'lost', error })
  }

  async function refresh(list: 'tools' | 'prompts') {
    const current = link?.connection
    if (current === undefined) return
    try {
      const listed = list === 'tools' ? await current.listTools(lifetime.signal) : await current.listPrompts(lifetime.signal)
      if (link?.connection !== current || last === undefined) return
      last = { ...last, [list]: listed.items }
      happen({ type: 'listed', warnings: listed.warnings })
    } catch (error) {
      if (lifetime.signal.aborted) return
      // The last good list stays.
      logger.warn(`MCP server ${config.name}: its ${list} have changed but could not be listed`, { error: messageOf(error) })
    }
  }

  /** The connection; one that is on its way is waited for, one that was lost is made anew. */
  async function ready(signal: AbortSignal): Promise<Connection> {
    happen({ type: 'wanted', by: 'call' })
    if (state.is === 'connecting') await orAborted(attempt, signal, undefined)
    signal.throwIfAborted()
    if (link !== undefined) return link.connection
    throw unavailable(failureOf(state) ?? disposedError())
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
    stopWaiting()
    for (const refresher of Object.values(refreshers)) refresher.stop()
    happen({ type: 'closed' })
    await attempt
    await leavings
  }

  function want(by: 'session' | 'person'): Promise<void> {
    happen({ type: 'wanted', by })
    if (state.is === 'connecting') settled = attempt
    return settled
  }

  for (const effect of opening.effects) perform(effect)
  settled = attempt

  return {
    name: config.name,
    config,
    get settled() {
      return settled
    },
    get status() {
      return toStatus(state)
    },
    get tools() {
      return isWithdrawn(state) ? none : (last?.tools ?? none)
    },
    get prompts() {
      return isWithdrawn(state) ? none : (last?.prompts ?? none)
    },
    get failure() {
      return failureOf(state)
    },
    get phases() {
      return last?.phases
    },
    callTool: (name, args, options) =>
      use(options, async (signal) => {
        // Before the connection, so that what waits for a server that is away is bounded too.
        const release = await calls.acquire(signal)
        try {
          const result = await (await ready(signal)).callTool(name, args, { ...options, signal })
          happen({ type: 'answered' })
          return result
        } finally {
          release()
        }
      }),
    getPrompt: (name, args, options) => use(options, async (signal) => (await ready(signal)).getPrompt(name, args, { signal })),
    listResources: (options) => use(options, async (signal) => (await ready(signal)).listResources({ signal })),
    readResource: (uri, options) => use(options, async (signal) => (await ready(signal)).readResource(uri, { signal })),
    wake: () => void want('session'),
    reconnect: () => want('person'),
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

function disposedError(): OstlerError {
  return new OstlerError('mcp.disposed', 'the connection has been closed')
}

/** For a call, the first line says enough; what the server printed is in the status. */
function unavailable(error: OstlerError): OstlerError {
  const [summary = ''] = error.message.split('\n')
  return new OstlerError(error.code, `the server is not available: ${summary}`, { data: { ...error.data }, cause: error })
}
