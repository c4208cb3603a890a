import type { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Redactor } from '../redaction/redact.ts'
import { orAborted } from '../base/or-aborted.ts'
import { createListeners } from '../base/listeners.ts'
import { createClientRequests, disposedError, knownError, unavailable } from './client-requests.ts'
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
import { createConnector } from './connector.ts'
import type { Established } from './establish-connection.ts'
import { createHeadStart } from './head-start.ts'
import type { KnownServer } from './known-server.ts'
import { createLink } from './link.ts'
import type { McpClient, McpHost } from './mcp-client.ts'
import type { Logins, ServerLogin } from './oauth/logins.ts'
import { createMachineLogin } from './oauth/machine-login.ts'
import { isMachineGrant } from './oauth/oauth-settings.ts'
import { createRetryAlarm } from './retry-alarm.ts'
import { createServerLog } from './server-log.ts'
import { createWatchedResources } from './watched-resources.ts'
import { secretsOf } from './secrets-of.ts'
import type { McpServerConfig } from './server-config.ts'
import { toServerOrigin } from './server-origin.ts'
import { timingFor, type Timing } from './timing.ts'

export interface OpenMcpClientOptions {
  readonly config: McpServerConfig
  readonly host: McpHost
  readonly logger: Logger
  readonly redactor: Redactor
  readonly timing?: Partial<Timing> | undefined
  /** The person's logins. Without them, a server that requires one fails. */
  readonly logins?: Logins | undefined
  /** The name to log in with. Defaults to the URL. */
  readonly loginName?: string | undefined
  /** The server as it was in an earlier process. Its tools are offered while it connects. */
  readonly known?: KnownServer | undefined
}

const none: readonly never[] = []

/**
 * Connects in the background and stays connected if possible. The object stays the same throughout. The rules are in `after`; this performs
 * their effects.
 */
export function openMcpClient(options: OpenMcpClientOptions): McpClient {
  const { config, logger, redactor, known } = options
  const { name } = config
  // Here, so that no caller can forget it.
  for (const secret of secretsOf(config)) redactor.add(secret)
  const timing = timingFor(options.timing, config.retryAttempts)
  const lifetime = new AbortController()
  const login = loginOf(options)
  const listeners = createListeners(`the MCP server ${name}`, logger)
  let state: ConnectionState = opening.state
  /** The current or last attempt. Never rejects. */
  let attempt: Promise<void> = Promise.resolve()
  /** The last attempt that others wait for: the first one, or one requested by a session or the person. */
  let settled = attempt

  const { signal } = lifetime
  const link = createLink({ name, logger, timing, signal, onListed: (warnings) => happen({ type: 'listed', warnings }), onDead: onLost })
  const log = createServerLog()
  const watched = createWatchedResources(name, logger)
  const connector = createConnector({
    ...options,
    login,
    log,
    timing,
    signal,
    onListChanged: link.listChanged,
    onResourceChanged: watched.changed,
    onEstablished,
    onLost,
  })
  const alarm = createRetryAlarm(login, (by) => happen({ type: 'wanted', by }))
  const onAnswered = () => happen({ type: 'answered' })
  const tools = () => link.last?.tools ?? none
  const requests = createClientRequests({ name, logger, lifetime: signal, ready, onAnswered, tools, caughtUp: link.caughtUp })
  const headStart = createHeadStart(known === undefined ? 0 : timing.knownStartMs)

  function happen(event: ConnectionEvent): void {
    const before = state
    const { state: next, effects } = after(before, event, performance.now(), timing)
    state = next
    for (const effect of effects) perform(effect)
    if (state !== before && event.type !== 'answered') listeners.tell()
  }

  function perform(effect: ConnectionEffect): void {
    switch (effect.type) {
      case 'connect':
        alarm.stop()
        attempt = connect()
        return
      case 'disconnect':
        connector.end(link.release())
        return
      case 'wait':
        alarm.set(effect)
        return
      case 'log':
        logger[effect.level](`MCP server ${name}: ${effect.message}`, effect.error && { code: effect.error.code })
    }
  }

  async function connect(): Promise<void> {
    try {
      if (known !== undefined) await headStart.over
      await connector.connect(link.last?.connection.era ?? known?.era)
    } catch (error) {
      if (!signal.aborted) happen({ type: 'failed', error: knownError(error, name, logger) })
    }
  }

  function onEstablished(made: Established): void {
    link.hold(made)
    watched.connected(made.connection)
    happen({ type: 'connected', server: made.connection.server, warnings: made.warnings })
    void login?.accepted()
  }

  function onLost(connection: Connection, error: OstlerError): void {
    if (link.connection === connection) happen({ type: 'lost', error })
  }

  /** Returns the connection. Waits for a pending one, and restores a lost one. */
  async function ready(stop: AbortSignal): Promise<Connection> {
    headStart.end()
    happen({ type: 'wanted', by: 'call' })
    if (state.is === 'connecting') await orAborted(attempt, stop, undefined)
    stop.throwIfAborted()
    if (link.connection !== undefined) return link.connection
    throw unavailable(failureOf(state) ?? disposedError())
  }

  function want(by: 'session' | 'person'): Promise<void> {
    if (by === 'person') headStart.end()
    happen({ type: 'wanted', by })
    if (state.is === 'connecting') settled = attempt
    return settled
  }

  /** The known server, until the first attempt has ended. */
  function anticipated(): KnownServer | undefined {
    return link.last === undefined && state.is === 'connecting' && state.failure === undefined ? known : undefined
  }

  for (const effect of opening.effects) perform(effect)
  settled = attempt

  return {
    name,
    config,
    ...requests,
    get origin() {
      return toServerOrigin(config, redactor)
    },
    get settled() {
      return settled
    },
    get status() {
      const status = toStatus(state)
      // Again, because a secret may have become known since.
      return status.state === 'error' ? { ...status, reason: redactor.redact(status.reason) } : status
    },
    get tools() {
      return isWithdrawn(state) ? none : ((link.last ?? anticipated())?.tools ?? none)
    },
    get prompts() {
      return isWithdrawn(state) ? none : ((link.last ?? anticipated())?.prompts ?? none)
    },
    get current() {
      return link.known
    },
    get isAnticipated() {
      return anticipated() !== undefined
    },
    get instructions() {
      return (state.is === 'connected' ? state.server : anticipated()?.server)?.instructions
    },
    get hasResources() {
      return (state.is === 'connected' ? state.server : anticipated()?.server)?.hasResources === true
    },
    watchResource: (uri) => watched.add(uri, link.connection),
    onResourceChange: watched.onChange,
    get failure() {
      return failureOf(state)
    },
    get phases() {
      return link.last?.phases
    },
    serverLog: {
      get level() {
        return log.level
      },
      entries: () => log.entries(redactor),
      stderr: () => link.last?.connection.stderrLines() ?? none,
      async setLevel(level, options) {
        log.level = level
        await link.connection?.setLogLevel({ signal: AbortSignal.any([options.signal, signal]) })
      },
    },
    wake: () => void want('session'),
    reconnect: () => want('person'),
    onChange: listeners.add,
    async [Symbol.asyncDispose]() {
      if (!signal.aborted) {
        lifetime.abort(disposedError())
        headStart.end()
        alarm.stop()
        link.stop()
        happen({ type: 'closed' })
      }
      await attempt
      await connector.ended()
    },
  }
}

function loginOf({ config, logger, redactor, logins, loginName }: OpenMcpClientOptions): ServerLogin | undefined {
  if (config.type === 'stdio') return undefined
  const { oauth } = config
  return isMachineGrant(oauth) ? createMachineLogin({ config, grant: oauth, redactor, logger }) : logins?.of(config, loginName)
}
