import type { ServerRow } from '../../history/servers.ts'
import type { AgentServer } from '../../policy/agent-server.ts'
import { capabilitiesOf } from './server-capabilities.ts'
import type { ServerId } from './server-service.ts'
import { isFileServerId } from './server-view.ts'
import type { ServiceConnection, ServiceConnections } from './service-connections.ts'
import type { StoredServers } from '../stored/stored-servers.ts'

/** Connections to what the servers are now: a stored one may have been changed or removed by anybody. */
export interface CurrentConnections {
  /** Throws `servers.unknown`, and what `ServiceConnections.connect` throws. */
  connect(id: ServerId, signal: AbortSignal): Promise<ServiceConnection>
  /** What changed elsewhere, or was removed, must not go on under its old configuration. */
  refresh(): Promise<void>
  /** A server that is connected ends and is connected anew, in its own time. */
  reconnect(id: ServerId): Promise<void>
}

export interface CurrentConnectionsOptions {
  readonly connections: ServiceConnections
  readonly fileServer: (id: ServerId) => AgentServer | undefined
  readonly stored: Pick<StoredServers, 'find' | 'get'>
  readonly resolve: (row: ServerRow) => Promise<AgentServer>
  /** Of the service: for what nobody waits for. */
  readonly lifetime: AbortSignal
}

export function createCurrentConnections(options: CurrentConnectionsOptions): CurrentConnections {
  const { connections, fileServer, stored, resolve, lifetime } = options
  /** Which state of a stored server a connection was made for. */
  const revisions = new Map<ServerId, number>()
  const isOutdated = (row: ServerRow) => connections.find(row.id) !== undefined && revisions.get(row.id) !== row.revision

  async function connect(id: ServerId, signal: AbortSignal): Promise<ServiceConnection> {
    lifetime.throwIfAborted()
    const own = fileServer(id)
    if (own !== undefined) return connections.connect(id, async () => own, signal)
    if (isOutdated(stored.get(id))) await connections.disconnect(id)
    return connections.connect(
      id,
      async () => {
        // Looked up again: it may be a while since.
        const row = stored.get(id)
        revisions.set(id, row.revision)
        return resolve(row)
      },
      signal,
    )
  }

  async function reconnect(id: ServerId): Promise<void> {
    const wasConnected = connections.find(id) !== undefined
    await connections.disconnect(id)
    // Why it fails now is in its status.
    if (wasConnected) void connect(id, lifetime).then(lookAgain, () => undefined)
  }

  /** What was known of it beside its tools is known again. */
  async function lookAgain(connection: ServiceConnection): Promise<void> {
    await capabilitiesOf(connection, lifetime).catch(() => undefined)
  }

  async function refreshOne(id: ServerId): Promise<void> {
    const row = stored.find(id)
    if (row === undefined) {
      await connections.disconnect(id)
      connections.forget(id)
      revisions.delete(id)
    } else if (isOutdated(row)) await reconnect(id)
  }

  return {
    connect,
    reconnect,
    async refresh() {
      await Promise.all(
        connections
          .ids()
          .filter((id) => !isFileServerId(id))
          .map(refreshOne),
      )
    },
  }
}
