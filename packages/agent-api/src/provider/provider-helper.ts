import type { McpClient } from '../mcp/mcp-client.ts'
import { createMcpTool } from '../tools/mcp-tool.ts'
import { createToolSet, type ToolSet } from '../tools/tool-set.ts'
import type { Tool } from '../tools/tool.ts'

export type McpClients = ReadonlyMap<string, McpClient>

/** The only place where the agent's servers and a session's come together. On a name that both have, the session's server stands alone. */
export function mergeMcpClients(agentClients: McpClients, sessionClients: McpClients): McpClients {
  return new Map([...agentClients, ...sessionClients])
}

/** The agent's servers that this session's own stand in front of. */
export function shadowedServers(agentClients: McpClients, sessionClients: McpClients): string[] {
  return [...agentClients.keys()].filter((name) => sessionClients.has(name))
}

/** What one model step is offered: the local tools, then those of every server that has listed its own by now. */
export function getIncludedTools(localTools: readonly Tool[], clients: McpClients): ToolSet {
  const serverTools = [...clients.values()].flatMap((client) => client.tools.map((definition) => createMcpTool(client, definition)))
  return createToolSet([...localTools, ...serverTools])
}
