import type { OstlerError } from '../base/errors.ts'
import { createListeners } from '../base/listeners.ts'
import type { Logger } from '../base/logger.ts'
import { orAborted } from '../base/or-aborted.ts'
import { disposedError, knownError, unavailable } from './client-requests.ts'
import type { Connection } from './connection.ts'
import {
  after,
  failureOf,
  opening,
  openingIdle,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
} from './connection-state.ts'
import { createConnector, type ConnectorOptions, type Established } from './connector.ts'
import { createIdleWatch } from './idle-watch.ts'
import type { KnownServer } from './known-server.ts'
import { createLink } from './link.ts'
import type { ServerLogin } from './oauth/logins.ts'

interface ConnectionDriverOptions extends Omit<
  ConnectorOptions,
  'onListChanged' | 'onEstablished' | 'onLost'
> {
  readonly logger: Logger
  readonly login: ServerLogin | undefined
  readonly lifetime: AbortController
  readonly known?: KnownServer | undefined
  readonly startsOnUse?: boolean | undefined
  readonly idleMs: number
  readonly isKept: () => boolean
  readonly onConnected: (connection: Connection) => void
}

export type ConnectionDriver = ReturnType<typeof createConnectionDriver>

/** Keeps one connection. The rules are in `after`; this performs their effects. */
export function createConnectionDriver(options: ConnectionDriverOptions) {
  const { config, logger, timing, login, lifetime, known, startsOnUse = false, idleMs, isKept } = options
  const { name } = config
  const { signal } = lifetime
  const listeners = createListeners(`the MCP server ${name}`, logger)
  const begun = startsOnUse ? openingIdle : opening
  let { state } = begun
  /** The current or last attempt. Never rejects. */
  let attempt: Promise<void> = Promise.resolve()
  let cancelAttempt = new AbortController()
  let settled = attempt
  const callers = new Set<AbortSignal>()
  const maySleep = () => idleMs !== Infinity && !isKept()
  const idleWatch = createIdleWatch({
    idleMs,
    isKept: () => isKept() || link.connection?.isAsking === true,
    rest: () => happen({ type: 'unused' }),
  })
  const link = createLink({
    name,
    logger,
    timing,
    signal,
    onListed: (warnings) => happen({ type: 'listed', warnings }),
    onDead: onLost,
  })
  const connector = createConnector({
    ...options,
    onListChanged: link.listChanged,
    onEstablished,
    onLost,
  })
  const alarm = createRetryAlarm(login, (by) => happen({ type: 'wanted', by }))

  function happen(event: ConnectionEvent): void {
    const before = state
    const { state: next, effects } = after(before, event, performance.now(), timing)
    state = next
    for (const effect of effects) perform(effect, before)
    if (state !== before && event.type !== 'answered') listeners.tell()
  }

  function perform(effect: ConnectionEffect, before: ConnectionState): void {
    switch (effect.type) {
      case 'connect':
        alarm.stop()
        cancelAttempt = new AbortController()
        attempt = connect(cancelAttempt.signal)
        return
      case 'cancel':
        cancelAttempt.abort()
        return
      case 'check':
        settled = connector.check().then(
          () => happen({ type: 'checked', error: undefined }),
          (error: unknown) => happen({ type: 'checked', error: knownError(error, name, logger) }),
        )
        return
      case 'disconnect':
        idleWatch.stop()
        connector.end(link.release())
        return
      case 'wait':
        alarm.set(effect)
        return
      case 'log':
        logger[effect.level](`MCP server ${name}: ${effect.message}`, {
          ...(effect.error && { code: effect.error.code }),
          // The report of a session says how the first attempt ended.
          ...(!before.wasConnected && { server: name }),
        })
    }
  }

  async function connect(cancelled: AbortSignal): Promise<void> {
    try {
      await connector.connect((link.seen?.known ?? known)?.era, AbortSignal.any([signal, cancelled]))
    } catch (error) {
      if (signal.aborted) return
      happen(
        cancelled.aborted
          ? { type: 'cancelled' }
          : { type: 'failed', error: knownError(error, name, logger), maySleep: maySleep() },
      )
    }
  }

  function onEstablished(made: Established): void {
    link.hold(made)
    idleWatch.start()
    options.onConnected(made.connection)
    happen({ type: 'connected', server: made.connection.server, warnings: made.warnings })
    void login?.accepted()
  }

  function onLost(connection: Connection, error: OstlerError): void {
    if (link.connection === connection) happen({ type: 'lost', error, maySleep: maySleep() })
  }

  /** Returns the connection. Starts an idle server, waits for a pending connection, and restores a lost one. */
  async function ready(stop: AbortSignal): Promise<Connection> {
    // Try again if an earlier caller had just cancelled the attempt, also if another one has begun the next.
    do {
      happen({ type: 'wanted', by: 'call' })
      if (state.is === 'connecting') await attemptOrAborted(stop)
      stop.throwIfAborted()
    } while (state.is === 'idle' || (state.is === 'connecting' && !signal.aborted))
    if (link.connection !== undefined) return link.connection
    const failure = failureOf(state) ?? disposedError()
    throw state.startsOnUse ? failure : unavailable(failure)
  }

  async function attemptOrAborted(stop: AbortSignal): Promise<void> {
    callers.add(stop)
    await orAborted(attempt, stop, undefined)
    callers.delete(stop)
    // The person or a session may wait for the same attempt, or a subscription need it.
    if (stop.aborted && callers.size === 0 && settled !== attempt && !isKept()) happen({ type: 'unwanted' })
  }

  function want(by: 'session' | 'person'): Promise<void> {
    happen({ type: 'wanted', by })
    if (state.is === 'connecting') settled = attempt
    return settled
  }

  for (const effect of begun.effects) perform(effect, begun.state)
  settled = attempt

  return {
    link,
    get state(): ConnectionState {
      return state
    },
    /** Settles when the last attempt that others wait for has ended: the first one, or one wanted by a session or the person. */
    get settled() {
      return settled
    },
    get fence() {
      return connector.fence
    },
    ready,
    want,
    hold: idleWatch.hold,
    answered: () => happen({ type: 'answered' }),
    onChange: listeners.add,
    tell: listeners.tell,
    async end(): Promise<void> {
      if (!signal.aborted) {
        lifetime.abort(disposedError())
        alarm.stop()
        link.stop()
        happen({ type: 'closed' })
      }
      await attempt
      await connector.ended()
    },
  }
}

/** Many agents may wait for one server. They must not all return at the same moment. */
const jitterMax = 0.2

/** The pause, shortened at random by up to a fifth. */
export function withJitter(retryMs: number, random = Math.random()): number {
  return retryMs * (1 - jitterMax * random)
}

/** Calls back when the next attempt to connect is due: after a pause, or when a person has logged in. */
function createRetryAlarm(login: ServerLogin | undefined, onDue: (by: 'retry' | 'login') => void) {
  let timer: NodeJS.Timeout | undefined
  let stopWaitingForLogin: (() => void) | undefined
  function stop(): void {
    clearTimeout(timer)
    stopWaitingForLogin?.()
  }
  return {
    stop,
    set({ retryMs, forLogin }: { readonly retryMs: number | undefined; readonly forLogin: boolean }): void {
      stop()
      timer =
        retryMs === undefined ? undefined : setTimeout(() => onDue('retry'), withJitter(retryMs)).unref()
      stopWaitingForLogin = forLogin ? login?.onNews(() => onDue('login')) : undefined
    },
  }
}
