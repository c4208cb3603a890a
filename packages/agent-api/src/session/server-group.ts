import { OstlerError } from '../base/errors.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'

/** The MCP servers of one owner, by name. They start when they are added and end with it. */
export interface ServerGroup extends AsyncDisposable {
  readonly clients: ReadonlyMap<string, McpClient>
  /** Settles when every server that is there at the call, or announced, has connected or failed once. */
  settled(): Promise<void>
  /** Servers are about to be added; the promise settles when they are. */
  announce(servers: Promise<unknown>): void
  add(config: McpServerConfig): void
  remove(name: string): Promise<void>
  onChange(listener: () => void): () => void
}

export function openServerGroup(open: (config: McpServerConfig) => McpClient, configs: readonly McpServerConfig[]): ServerGroup {
  const clients = new Map<string, McpClient>()
  const listeners = new Set<() => void>()
  const announced = new Set<Promise<unknown>>()
  const removals = new Set<Promise<void>>()
  let disposed: Promise<void> | undefined
  const changed = () => {
    for (const listener of listeners) listener()
  }

  const group: ServerGroup = {
    clients,
    async settled() {
      await Promise.all(announced)
      await Promise.all([...clients.values()].map((client) => client.settled))
    },
    announce(servers) {
      const added = servers.catch(() => undefined).finally(() => announced.delete(added))
      announced.add(added)
    },
    add(config) {
      if (disposed !== undefined) throw new OstlerError('session.closed', 'The session is closed.')
      if (clients.has(config.name)) throw new OstlerError('mcp.duplicate_server', `There is already a server named '${config.name}'.`)
      const client = open(config)
      clients.set(config.name, client)
      client.onChange(changed)
      changed()
    },
    async remove(name) {
      const client = clients.get(name)
      if (client === undefined) throw new OstlerError('mcp.unknown_server', `There is no server named '${name}'.`)
      clients.delete(name)
      changed()
      const removal = Promise.resolve(client[Symbol.asyncDispose]()).finally(() => removals.delete(removal))
      removals.add(removal)
      await removal
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.asyncDispose]() {
      disposed ??= Promise.all([...removals, ...[...clients.values()].map((client) => client[Symbol.asyncDispose]())]).then(() => undefined)
      return disposed
    },
  }
  for (const config of configs) group.add(config)
  return group
}
