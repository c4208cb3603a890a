import type { McpClient } from '../mcp/mcp-client.ts'
import type { AdmittedTools } from '../policy/tool-access.ts'
import { createMcpTool } from '../tools/mcp-tool.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'

export type McpClients = ReadonlyMap<string, McpClient>

/** One owner's servers, and which of their tools are let in. */
export interface ServerSource {
  readonly clients: McpClients
  readonly admitted: (server: string) => AdmittedTools
}

/** The only place where the agent's servers and a session's come together. On a name that both have, the session's server stands alone. */
export function mergeMcpClients(agentClients: McpClients, sessionClients: McpClients): McpClients {
  return new Map([...agentClients, ...sessionClients])
}

/** The agent's servers that this session's own stand in front of. */
export function shadowedServers(agentClients: McpClients, sessionClients: McpClients): string[] {
  return [...agentClients.keys()].filter((name) => sessionClients.has(name))
}

/** Every tool that may be used now: the local ones, then those of every server that has listed its own. */
export function getIncludedTools(localTools: readonly OfferedTool[], agent: ServerSource, session: ServerSource): OfferedTool[] {
  const serverTools = [...mergeMcpClients(agent.clients, session.clients).values()].flatMap((client) => {
    const owner = session.clients.has(client.name) ? 'session' : 'agent'
    const admitted = (owner === 'session' ? session : agent).admitted(client.name)
    return client.tools.flatMap((definition): OfferedTool[] => {
      const config = admitted.get(definition.name)
      return config === undefined ? [] : [{ tool: createMcpTool(client, definition), config, home: { type: 'server', client, owner } }]
    })
  })
  return [...localTools, ...serverTools]
}
