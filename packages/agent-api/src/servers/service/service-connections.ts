import { OstlerError } from '../../base/errors.ts'
import { orAborted } from '../../base/or-aborted.ts'
import { createListeners } from '../../base/listeners.ts'
import type { Logger } from '../../base/logger.ts'
import { asksForLogin } from '../../mcp/connection-state.ts'
import type { McpClient, McpHost, McpStatus } from '../../mcp/mcp-client.ts'
import type { ClientOpener } from '../../mcp/open-mcp-client.ts'
import type { AgentServer } from '../../policy/agent-server.ts'
import type { ConfiguredTool } from '../../policy/tool-config.ts'
import type { ProtocolLog } from '../../mcp/protocol-log.ts'
import type { ServerLog } from '../../mcp/server-log.ts'
import { openServerSet, type AdmittedTools, type ServerSet } from '../server-set.ts'
import type { ConnectionStatus, ServerId } from '../server-service.ts'

/** A person's connection to a server, with the tools that the agent would admit. */
export interface ServiceConnection {
  readonly server: AgentServer
  readonly client: McpClient
  readonly admitted: () => AdmittedTools
  /** The number of resources at the last listing; unset before the first. */
  resources?: number
}

export interface ServiceConnectionOptions {
  readonly openClient: ClientOpener
  readonly logger: Logger
  /** The folder in which the servers start. */
  readonly cwd: string
  /** Read at each look, because the agent file may change. */
  readonly configured: readonly ConfiguredTool[]
  /** The parts for a person who watches the connection: they can answer its questions and see its messages. */
  readonly watching?: {
    readonly hostOf: (id: ServerId) => Pick<McpHost, 'elicit' | 'sample'>
    readonly protocolOf: (id: ServerId) => ProtocolLog
    readonly logOf: (id: ServerId) => ServerLog
  }
  readonly onResourceChange?: (id: ServerId, uri: string) => void
  /** Called for each new connection. */
  readonly onConnected: (id: ServerId) => void
}

/** The connections of one person: a server set with ids as keys. A server is connected on demand. */
export interface ServiceConnections extends AsyncDisposable {
  /** Returns the existing connection, or makes one. Throws `mcp.*` if that fails, `mcp.cancelled`, and the errors of `resolve`. */
  connect(id: ServerId, resolve: () => Promise<AgentServer>, signal: AbortSignal): Promise<ServiceConnection>
  disconnect(id: ServerId): Promise<void>
  find(id: ServerId): ServiceConnection | undefined
  ids(): readonly ServerId[]
  status(id: ServerId): ConnectionStatus
  /** Sets the status of a server that cannot even be tried. */
  fail(id: ServerId, error: unknown): void
  /** Drops the error of a server that is not connected. */
  forget(id: ServerId): void
  onChange(listener: (id: ServerId, status: ConnectionStatus) => void): () => void
}

/** A connection, or the attempt to make it. */
interface Held {
  readonly ready: Promise<ServiceConnection>
  readonly cancel: AbortController
  connection?: ServiceConnection
  /** Number of callers that wait. The attempt ends with the last of them. */
  waiting: number
}

const disconnected: ConnectionStatus = { state: 'disconnected' }

export function createServiceConnections(options: ServiceConnectionOptions): ServiceConnections {
  const { logger, onConnected } = options
  const set = openPersonSet(options)
  const held = new Map<ServerId, Held>()
  const statuses = new Map<ServerId, ConnectionStatus>()
  const listeners = createListeners<[ServerId, ConnectionStatus]>('the connections', logger)
  let isClosed = false

  set.onChange(({ key, client, what }) => {
    if (what === 'added') client.onResourceChange((uri) => options.onResourceChange?.(key, uri))
    if (what === 'connected') onConnected(key)
    if (held.get(key)?.connection?.client === client) setStatus(key, toConnectionStatus(client.status))
  })

  function setStatus(id: ServerId, status: ConnectionStatus): void {
    if (JSON.stringify(statuses.get(id) ?? disconnected) === JSON.stringify(status)) return
    statuses.set(id, status)
    listeners.tell(id, status)
  }

  function hold(id: ServerId, resolve: () => Promise<AgentServer>): Held {
    const cancel = new AbortController()
    const made: Held = { ready: Promise.resolve().then(establish), waiting: 0, cancel }
    held.set(id, made)
    // The callers that wait get the error.
    made.ready.catch(() => {})
    return made

    async function establish(): Promise<ServiceConnection> {
      setStatus(id, { state: 'connecting' })
      try {
        made.connection = await connectServer(set, id, resolve, cancel.signal)
        setStatus(id, toConnectionStatus(made.connection.client.status))
        return made.connection
      } catch (error) {
        if (held.get(id) === made) {
          held.delete(id)
          await removeFrom(set, id)
        }
        if (!held.has(id)) setStatus(id, cancel.signal.aborted ? disconnected : toErrorStatus(error))
        throw cancel.signal.aborted ? cancelled() : error
      }
    }
  }

  async function disconnect(id: ServerId): Promise<void> {
    const entry = held.get(id)
    held.delete(id)
    entry?.cancel.abort()
    // At once, so that the next connection finds its key free.
    await Promise.all([removeFrom(set, id), entry?.ready.catch(() => undefined)])
    if (!held.has(id)) setStatus(id, disconnected)
  }

  return {
    async connect(id, resolve, signal) {
      if (isClosed) throw new OstlerError('servers.closed', 'The service is closed.')
      if (signal.aborted) throw cancelled()
      const before = held.get(id)?.connection?.client
      if (before?.status.state === 'connecting') await notConnecting(before, signal)
      // A lost connection that waits for its retry is made now, with the current configuration.
      if (before !== undefined && before.status.state !== 'connected' && held.get(id)?.connection?.client === before) await disconnect(id)
      const entry = held.get(id) ?? hold(id, resolve)
      entry.waiting++
      try {
        const connection = await orAborted(entry.ready, signal, undefined)
        if (connection === undefined) throw cancelled()
        return connection
      } finally {
        entry.waiting--
        if (signal.aborted && entry.waiting === 0 && entry.connection === undefined) entry.cancel.abort()
      }
    },
    disconnect,
    find: (id) => held.get(id)?.connection,
    ids: () => [...held.keys()],
    status: (id) => statuses.get(id) ?? disconnected,
    fail(id, error) {
      if (!held.has(id)) setStatus(id, toErrorStatus(error))
    },
    forget(id) {
      if (held.has(id)) return
      setStatus(id, disconnected)
      statuses.delete(id)
    },
    onChange: listeners.add,
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all([...held.keys()].map(disconnect))
      await set[Symbol.asyncDispose]()
      listeners.clear()
    },
  }
}

function openPersonSet(options: ServiceConnectionOptions): ServerSet<AgentServer> {
  const { openClient, cwd, logger, watching } = options
  // There is no session, so there are no roots. A server can ask the person only if they watch it.
  return openServerSet({
    open: (config, id) =>
      openClient({
        config,
        host: { cwd, roots: [], ...watching?.hostOf(id) },
        protocol: watching?.protocolOf(id),
        log: watching?.logOf(id),
        loginName: config.name,
      }),
    get configured() {
      return options.configured
    },
    logger,
    onViolation: ({ sentences }) => sentences.forEach((sentence) => logger.info(sentence)),
  })
}

/** Makes one attempt, which ends when the signal aborts. A server that did not connect stays in the set. */
async function connectServer(
  set: ServerSet<AgentServer>,
  id: ServerId,
  resolve: () => Promise<AgentServer>,
  signal: AbortSignal,
): Promise<ServiceConnection> {
  const server = await resolve()
  signal.throwIfAborted()
  const client = set.add(server.config, server, id)
  await orAborted(client.settled, signal, undefined)
  signal.throwIfAborted()
  if (client.status.state !== 'connected') throw client.failure ?? new OstlerError('mcp.failed', 'the server is not connected')
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

function toConnectionStatus(status: McpStatus): ConnectionStatus {
  switch (status.state) {
    case 'connecting':
    case 'disconnected':
      return { state: status.state }
    case 'connected':
      return status.warnings.length === 0 ? { state: status.state } : { state: status.state, warnings: status.warnings }
    case 'error':
      return status
  }
}

function toErrorStatus(error: unknown): ConnectionStatus {
  const reason = error instanceof OstlerError ? error.message : 'unexpected error'
  const needsLogin = error instanceof OstlerError && asksForLogin(error)
  return { state: 'error', reason, willRetry: false, ...(needsLogin && { needsLogin }) }
}
