import type { ServerRow } from '../../history/servers.ts'
import type { AgentServer } from '../../policy/agent-server.ts'
import { capabilitiesOf } from './server-capabilities.ts'
import type { ServerId } from '../server-service.ts'
import { isFileServerId } from './server-view.ts'
import type { ServiceConnection, ServiceConnections } from './service-connections.ts'
import type { StoredServers } from '../stored/stored-servers.ts'

/** Connections with current configurations: other processes may change or remove stored servers. */
export interface CurrentConnections {
  /** Throws `servers.unknown`, or the errors of `ServiceConnections.connect`. */
  connect(id: ServerId, signal: AbortSignal): Promise<ServiceConnection>
  /** Ends or renews connections to servers that another process changed or removed. */
  refresh(): Promise<void>
  /** Reconnects a connected server in the background. */
  reconnect(id: ServerId): Promise<void>
}

export interface CurrentConnectionsOptions {
  readonly connections: ServiceConnections
  readonly fileServer: (id: ServerId) => AgentServer | undefined
  readonly stored: Pick<StoredServers, 'find' | 'get'>
  readonly resolve: (row: ServerRow) => Promise<AgentServer>
  /** The service's lifetime signal, for background work. */
  readonly lifetime: AbortSignal
}

export function createCurrentConnections(options: CurrentConnectionsOptions): CurrentConnections {
  const { connections, fileServer, stored, resolve, lifetime } = options
  /** The revision of each stored server's connection. */
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
        // Read again, because some time may have passed.
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
    // A failure is reported by the status.
    if (wasConnected) void connect(id, lifetime).then(lookAgain, () => undefined)
  }

  /** Refresh the resource and prompt counts after a reconnect. */
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
