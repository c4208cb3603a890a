import { OstlerError, type McpClient, type AgentServer } from '@ostler/agent-api'
import { orAborted, type ServerSet } from '@ostler/agent-api/internal'
import type { ConnectionStatus, ServerId, ServiceConnection } from '../server-service.ts'
import { disconnected, toConnectionStatus, toErrorStatus } from './connection-status.ts'
import { capabilitiesOf } from './server-capabilities.ts'

/** A server as it is to be connected. The revision of a stored one changes with every update. */
export interface CurrentServer {
  readonly server: AgentServer
  readonly revision: number
}

export interface ServerConnectionOptions {
  readonly id: ServerId
  readonly set: ServerSet<AgentServer>
  /** Throws `servers.unknown` if the server was removed, and if its secrets or variables cannot be read. */
  readonly current: () => Promise<CurrentServer>
  /** Throws `servers.unknown`. */
  readonly revision: () => number
  readonly onStatus: () => void
  /** The lifetime of the service: background work ends with it. */
  readonly lifetime: AbortSignal
}

/** A person's connection to one server, made on demand. */
export interface ServerConnection {
  readonly status: ConnectionStatus
  readonly connected: ServiceConnection | undefined
  /** Returns the existing connection, or makes one. Throws `mcp.*` if that fails, and `mcp.cancelled`. */
  use(signal: AbortSignal): Promise<ServiceConnection>
  end(): Promise<void>
  /** Connects again in the background, with the current configuration, if it is connected. */
  renew(): Promise<void>
  /** True if it is connected with an older configuration. Throws `servers.unknown`. */
  isOutdated(): boolean
  /** Takes over the status of the client, after news of it. */
  look(client: McpClient): void
}

/** A connection, or the attempt to make it. */
interface Held {
  readonly ready: Promise<ServiceConnection>
  readonly cancel: AbortController
  connection?: ServiceConnection
  revision?: number
  /** Number of callers that wait. The attempt ends with the last of them. */
  waiting: number
}

export function createServerConnection(options: ServerConnectionOptions): ServerConnection {
  const { id, set, lifetime } = options
  let held: Held | undefined
  let status = disconnected

  function setStatus(next: ConnectionStatus): void {
    if (JSON.stringify(status) === JSON.stringify(next)) return
    status = next
    options.onStatus()
  }

  function hold(): Held {
    const cancel = new AbortController()
    const made: Held = { ready: Promise.resolve().then(establish), waiting: 0, cancel }
    held = made
    // The callers that wait get the error.
    made.ready.catch(() => {})
    return made

    async function establish(): Promise<ServiceConnection> {
      setStatus({ state: 'connecting' })
      try {
        const { server, revision } = await options.current()
        made.revision = revision
        made.connection = await connectServer(set, id, server, cancel.signal)
        setStatus(toConnectionStatus(made.connection.client.status))
        return made.connection
      } catch (error) {
        if (held === made) {
          held = undefined
          await removeFrom(set, id)
        }
        if (held === undefined) setStatus(cancel.signal.aborted ? disconnected : toErrorStatus(error))
        throw cancel.signal.aborted ? cancelled() : error
      }
    }
  }

  async function end(): Promise<void> {
    const ending = held
    held = undefined
    ending?.cancel.abort()
    // At once, so that the next connection finds its key free.
    await Promise.all([removeFrom(set, id), ending?.ready.catch(() => undefined)])
    if (held === undefined) setStatus(disconnected)
  }

  function isOutdated(): boolean {
    const now = options.revision()
    return held?.connection !== undefined && held.revision !== now
  }

  /** Ends a connection with an older configuration, and a lost one that waits for its retry, because it is made now. */
  async function endUnusable(signal: AbortSignal): Promise<void> {
    if (isOutdated()) return end()
    const before = held?.connection?.client
    if (before === undefined) return
    if (before.status.state === 'connecting') await notConnecting(before, signal)
    if (before.status.state !== 'connected' && held?.connection?.client === before) await end()
  }

  async function use(signal: AbortSignal): Promise<ServiceConnection> {
    lifetime.throwIfAborted()
    if (signal.aborted) throw cancelled()
    await endUnusable(signal)
    const entry = held ?? hold()
    entry.waiting++
    try {
      const connection = await orAborted(entry.ready, signal, undefined)
      if (connection === undefined) throw cancelled()
      return connection
    } finally {
      entry.waiting--
      if (signal.aborted && entry.waiting === 0 && entry.connection === undefined) entry.cancel.abort()
    }
  }

  return {
    get status() {
      return status
    },
    get connected() {
      return held?.connection
    },
    use,
    end,
    isOutdated,
    async renew() {
      const wasConnected = held?.connection !== undefined
      await end()
      // A failure is reported by the status. Counts the resources again.
      if (wasConnected)
        void use(lifetime)
          .then((connection) => capabilitiesOf(connection, lifetime))
          .catch(() => undefined)
    },
    look(client) {
      if (held?.connection?.client === client) setStatus(toConnectionStatus(client.status))
    },
  }
}

/** Makes one attempt, which ends when the signal aborts. A server that did not connect stays in the set. */
async function connectServer(
  set: ServerSet<AgentServer>,
  id: ServerId,
  server: AgentServer,
  signal: AbortSignal,
): Promise<ServiceConnection> {
  signal.throwIfAborted()
  const client = set.add(server.config, server, id)
  await orAborted(client.settled, signal, undefined)
  signal.throwIfAborted()
  if (client.status.state !== 'connected')
    throw client.failure ?? new OstlerError('mcp.failed', 'the server is not connected')
  return { server, client, admitted: () => set.admitted(id) }
}

async function removeFrom(set: ServerSet<AgentServer>, id: ServerId): Promise<void> {
  if (set.clients.has(id)) await set.remove(id)
}

function cancelled(): OstlerError {
  return new OstlerError('mcp.cancelled', 'cancelled')
}

/** Settles when the current attempt has ended, or the signal aborts. */
async function notConnecting(client: McpClient, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = client.onChange(() => {
    if (client.status.state !== 'connecting') resolve()
  })
  await orAborted(promise, signal, undefined)
  stop()
}
