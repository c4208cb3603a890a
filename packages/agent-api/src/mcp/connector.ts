import { OstlerError } from '../base/errors.ts'
import { nextTurn } from '../base/in-slices.ts'
import { orAborted } from '../base/or-aborted.ts'
import { createSlots } from '../base/slots.ts'
import type { Connection, ConnectOptions, ProtocolEra } from './connection.ts'
import { establishConnection, type Established } from './establish-connection.ts'
import type { McpServerConfig } from './server-config.ts'

/**
 * Makes the connections of one client. Each waits until the previous one has ended completely, so that two
 * servers never compete for a lock file.
 */
export interface Connector {
  /** Makes one attempt. Throws as soon as its time is up, although the server may take longer to end; if the signal aborts, after its end. */
  connect(era: ProtocolEra | undefined, signal: AbortSignal): Promise<void>
  /** Ends a connection, if there is one, in the background. */
  end(connection: Connection | undefined): void
  /** Settles when all connections so far have ended completely. */
  ended(): Promise<void>
}

export interface ConnectorOptions extends Omit<ConnectOptions, 'started' | 'era' | 'onLost'> {
  readonly onEstablished: (established: Established) => void
  readonly onLost: (connection: Connection, error: OstlerError) => void
}

const connectTimeoutDefaultMs = 30_000

/**
 * Limits how many servers start at the same moment, in the whole process. Waiting for a turn must be short: a slow server must not delay
 * others, least of all those of another session.
 */
const starting = createSlots({ activeMax: 8, waitingMax: Number.POSITIVE_INFINITY, of: 'its turn to start' })

export function createConnector({ onEstablished, ...options }: ConnectorOptions): Connector {
  const { config } = options
  let leavings: Promise<unknown> = Promise.resolve()

  async function connect(era: ProtocolEra | undefined, signal: AbortSignal): Promise<void> {
    await leavings
    const { prepareStart } = options.host
    const prepared =
      config.type === 'stdio' && prepareStart !== undefined ? await prepareStart(config) : config
    const release = config.type === 'stdio' ? await starting.acquire(signal) : undefined
    const turnOver = setTimeout(() => release?.(), options.timing.startingTurnMs).unref()
    try {
      // Starting a process takes some milliseconds, so each start has a turn of the event loop.
      if (release !== undefined) await nextTurn()
      signal.throwIfAborted()
      await establishInTime(prepared, era, signal)
    } finally {
      clearTimeout(turnOver)
      release?.()
    }
  }

  async function establishInTime(
    prepared: McpServerConfig,
    era: ProtocolEra | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const timeoutMs = config.connectTimeoutMs ?? connectTimeoutDefaultMs
    const clock = new AbortController()
    const timer = setTimeout(() => {
      clock.abort(new OstlerError('mcp.connect_timeout', `did not answer within ${timeoutMs / 1_000} s`))
    }, timeoutMs)
    const making = establishConnection(
      { ...options, config: prepared, era },
      AbortSignal.any([signal, clock.signal]),
      onEstablished,
    )
    leavings = making.catch(() => {})
    try {
      await orAborted(making, clock.signal, undefined)
      clock.signal.throwIfAborted()
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    connect,
    end(connection) {
      leavings = Promise.all([leavings, connection?.[Symbol.asyncDispose]()])
    },
    ended: async () => void (await leavings),
  }
}
