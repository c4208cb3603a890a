import type { Logger } from '../base/logger.ts'
import { checkAgentServers, type AgentServer } from '../policy/agent-server.ts'
import type { ServerSet } from './server-set.ts'

/** A server that cannot be tried at all, with the reason. */
interface RejectedServer {
  readonly server: string
  readonly reason: string
}

/** Servers that are added to a running agent. None of them prevents its start. */
export interface AddedServers {
  /**
   * Starts a server for all sessions. `onConnected` is called for each new connection. Throws `mcp.duplicate_server` if the agent has a
   * server of this name.
   */
  add(server: AgentServer, onConnected?: () => void): void
  /** Ends an added server, or forgets that it was rejected. Settles when its process is gone. Other servers stay. */
  remove(name: string): Promise<void>
  /** Records why this server is missing. Every session shows it. */
  reject(name: string, reason: string): void
  /** Prompts wait for announced servers as they wait for servers that connect. */
  announce(servers: Promise<unknown>): void
}

export interface AddedServersOfAgent extends AddedServers {
  has(name: string): boolean
  readonly rejected: readonly RejectedServer[]
}

export function createAddedServers(set: ServerSet<AgentServer>, logger: Logger): AddedServersOfAgent {
  const added = new Map<string, (() => void) | undefined>()
  const rejected = new Map<string, string>()
  set.onChange(({ key, what }) => {
    if (what === 'connected') added.get(key)?.()
  })
  return {
    has: (name) => added.has(name),
    get rejected() {
      return [...rejected].map(([server, reason]) => ({ server, reason }))
    },
    add(server, onConnected) {
      const { name } = server.config
      checkAgentServers([server])
      if (!set.clients.has(name)) rejected.delete(name)
      set.add(server.config, { ...server, required: false })
      added.set(name, onConnected)
    },
    async remove(name) {
      rejected.delete(name)
      if (added.delete(name)) await set.remove(name)
    },
    reject(name, reason) {
      if (set.clients.has(name)) return
      rejected.set(name, reason)
      logger.warn(`MCP server ${name}: ${reason}`, { server: name })
    },
    announce: (servers) => set.announce(servers),
  }
}
