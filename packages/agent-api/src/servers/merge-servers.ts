import type { McpClient } from '../mcp/mcp-client.ts'
import { createMcpTool } from '../tools/mcp-tool.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { ServerSet } from './server-set.ts'

export type McpClients = ReadonlyMap<string, McpClient>

/** The servers of one owner, by name, and which of their tools are admitted. */
type ServerSource = Pick<ServerSet, 'clients' | 'admitted'>

/**
 * The owner of a usable server. If the agent and the session have a server of the same name, only the session's is used. No other place
 * decides this.
 */
export function ownerOf<A, S extends { readonly clients: McpClients }>(
  name: string,
  agent: A,
  session: S,
): OwnedBy<A, S> {
  return session.clients.has(name)
    ? { owner: 'session', servers: session }
    : { owner: 'agent', servers: agent }
}

type OwnedBy<A, S> =
  | { readonly owner: 'agent'; readonly servers: A }
  | { readonly owner: 'session'; readonly servers: S }

/** All usable servers: a session's takes the place of the agent's of the same name. */
export function mergeMcpClients(agentClients: McpClients, sessionClients: McpClients): McpClients {
  return new Map([...agentClients, ...sessionClients])
}

/** The agent's servers that are hidden by a session server of the same name. */
export function shadowedServers(agentClients: McpClients, sessionClients: McpClients): string[] {
  return [...agentClients.keys()].filter((name) => sessionClients.has(name))
}

/** Returns all usable tools: the local ones first, then those of every server that has listed its tools. */
export function getIncludedTools(
  localTools: readonly OfferedTool[],
  agent: ServerSource,
  session: ServerSource,
): OfferedTool[] {
  const serverTools = [...mergeMcpClients(agent.clients, session.clients).values()].flatMap((client) => {
    const { owner, servers } = ownerOf(client.name, agent, session)
    const admitted = servers.admitted(client.name)
    return client.tools.flatMap((definition): OfferedTool[] => {
      const config = admitted.get(definition.name)
      return config === undefined
        ? []
        : [{ tool: createMcpTool(client, definition), config, home: { type: 'server', client, owner } }]
    })
  })
  return [...localTools, ...serverTools]
}
