import { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { asksForLogin } from '../mcp/connection-state.ts'
import type { McpClient, McpHost, McpStatus } from '../mcp/mcp-client.ts'
import type { Logins } from '../mcp/oauth/logins.ts'
import { openMcpClient } from '../mcp/open-mcp-client.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import { createToolAccess, type ToolAccess } from '../policy/tool-access.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { Timing } from '../mcp/timing.ts'
import { toServerOrigin } from '../session/server-origin.ts'
import { tellListeners } from '../base/tell-listeners.ts'
import type { ConnectionStatus, ServerId } from './server-service.ts'

/** A server that a person has connected, and which of its tools the agent would let in. */
export interface ServiceConnection extends AsyncDisposable {
  readonly server: AgentServer
  readonly client: McpClient
  readonly access: ToolAccess
  /** How many there were when they were listed last; unset before that. */
  resources?: number
}

export interface ServiceConnectionOptions {
  readonly configured: readonly ConfiguredTool[]
  readonly logins: Logins
  readonly logger: Logger
  readonly redactor: Redactor
  readonly timing?: Partial<Timing> | undefined
}

export function openServiceConnection(
  server: AgentServer,
  { configured, logins, logger, redactor, timing }: ServiceConnectionOptions,
): ServiceConnection {
  // Nobody it could ask: there is no session.
  const host: McpHost = { cwd: process.cwd(), roots: [] }
  const client = openMcpClient({ config: server.server, host, logger, redactor, timing, logins, loginName: server.server.name })
  const access = createToolAccess({
    policyOf: () => server,
    configured,
    originOf: () => toServerOrigin(server.server, redactor),
    logger,
    onViolation: (messages) => messages.forEach((message) => logger.info(message.split('\n')[0] ?? message)),
  })
  client.onChange(() => access.refresh(client))
  return { server, client, access, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() }
}

/** The connections of one service, one for each server at most. */
export interface ServiceConnections extends AsyncDisposable {
  /** A connection that stands: the one that is there, or one that is made. Throws `mcp.*` when it fails, what `resolve` throws, and `mcp.cancelled`. */
  connect(id: ServerId, resolve: () => Promise<AgentServer>, signal: AbortSignal): Promise<ServiceConnection>
  disconnect(id: ServerId): Promise<void>
  find(id: ServerId): ServiceConnection | undefined
  ids(): readonly ServerId[]
  status(id: ServerId): ConnectionStatus
  /** For a server that cannot even be tried. */
  fail(id: ServerId, error: unknown): void
  /** Why a server that is not connected failed counts no more. */
  forget(id: ServerId): void
  onChange(listener: (id: ServerId, status: ConnectionStatus) => void): () => void
}

interface Held {
  readonly ready: Promise<ServiceConnection>
  connection?: ServiceConnection
  waiting: number
  readonly cancel: AbortController
}

const disconnected: ConnectionStatus = { state: 'disconnected' }

export function createServiceConnections(
  options: ServiceConnectionOptions & { readonly onConnected: (id: ServerId) => void },
): ServiceConnections {
  const { logger, onConnected } = options
  const held = new Map<ServerId, Held>()
  const statuses = new Map<ServerId, ConnectionStatus>()
  const listeners = new Set<(id: ServerId, status: ConnectionStatus) => void>()
  const endings = new Set<Promise<void>>()
  const lastState = new Map<ServerId, McpStatus['state']>()
  let isClosed = false

  function setStatus(id: ServerId, status: ConnectionStatus): void {
    const before = statuses.get(id) ?? disconnected
    if (JSON.stringify(before) === JSON.stringify(status)) return
    statuses.set(id, status)
    tellListeners(listeners, (listener) => listener(id, status), 'the connections', logger)
  }

  function open(id: ServerId, resolve: () => Promise<AgentServer>): Held {
    const cancel = new AbortController()
    const made: Held = { ready: Promise.resolve().then(establish), waiting: 0, cancel }
    held.set(id, made)
    // Whoever waits gets the error.
    made.ready.catch(() => {})
    return made

    async function establish(): Promise<ServiceConnection> {
      setStatus(id, { state: 'connecting' })
      let connection: ServiceConnection | undefined
      try {
        const server = await resolve()
        cancel.signal.throwIfAborted()
        connection = openServiceConnection(server, options)
        const { client } = connection
        await orAborted(client.settled, cancel.signal, undefined)
        cancel.signal.throwIfAborted()
        if (client.status.state !== 'connected') throw client.failure ?? new OstlerError('mcp.failed', 'the server is not connected')
        made.connection = connection
        // From here on it lives: it is kept up, and each change is told.
        client.onChange(() => held.get(id) === made && follow(id, client))
        connection.access.refresh(client)
        follow(id, client)
        return connection
      } catch (error) {
        if (held.get(id) === made) held.delete(id)
        await ending(connection)
        if (cancel.signal.aborted) {
          setStatus(id, disconnected)
          throw new OstlerError('mcp.cancelled', 'cancelled')
        }
        setStatus(id, toErrorStatus(error))
        throw error
      }
    }
  }

  function follow(id: ServerId, client: McpClient): void {
    if (client.status.state === 'connected' && lastState.get(id) !== 'connected') onConnected(id)
    lastState.set(id, client.status.state)
    setStatus(id, toConnectionStatus(client.status))
  }

  async function ending(connection: ServiceConnection | undefined): Promise<void> {
    const end = Promise.resolve(connection?.[Symbol.asyncDispose]()).finally(() => endings.delete(end))
    endings.add(end)
    await end
  }

  async function disconnect(id: ServerId): Promise<void> {
    const entry = held.get(id)
    held.delete(id)
    lastState.delete(id)
    entry?.cancel.abort()
    await ending(entry?.connection)
    await entry?.ready.catch(() => undefined)
    if (!held.has(id)) setStatus(id, disconnected)
  }

  return {
    async connect(id, resolve, signal) {
      if (isClosed) throw new OstlerError('servers.closed', 'The service is closed.')
      if (signal.aborted) throw new OstlerError('mcp.cancelled', 'cancelled')
      const before = held.get(id)?.connection?.client
      if (before?.status.state === 'connecting') await notConnecting(before, signal)
      // One that was lost and waits to be tried again is tried now, with what is configured now.
      if (before !== undefined && before.status.state !== 'connected' && held.get(id)?.connection?.client === before) await disconnect(id)
      const entry = held.get(id) ?? open(id, resolve)
      entry.waiting++
      try {
        const connection = await orAborted(entry.ready, signal, undefined)
        if (connection === undefined) throw new OstlerError('mcp.cancelled', 'cancelled')
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
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await Promise.all([...held.keys()].map(disconnect))
      await Promise.all(endings)
      listeners.clear()
    },
  }
}

/** Settles when the attempt that is under way has come to something, or nobody wants to know any more. */
async function notConnecting(client: McpClient, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = client.onChange(() => {
    if (client.status.state !== 'connecting') resolve()
  })
  await orAborted(promise, signal, undefined)
  stop()
}

export function toConnectionStatus(status: McpStatus): ConnectionStatus {
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
