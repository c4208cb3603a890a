import type { Logger } from '../logger.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Message } from '../messages/message.ts'
import type { Gate } from '../policy/gate.ts'
import type { Model } from '../provider/model.ts'
import { mergeMcpClients, shadowedServers, type McpClients } from '../provider/provider-helper.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { Tool } from '../tools/tool.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import { toServerReport } from './server-report.ts'
import type { ServerGroup } from './server-group.ts'

/** What an agent lends to its sessions. */
export interface AgentSide {
  readonly systemPrompt: string | undefined
  readonly stepsMax: number
  readonly connectWaitMs: number
  readonly servers: ServerGroup
  readonly tools: readonly Tool[]
  readonly openClient: (config: McpServerConfig, host: McpHost) => McpClient
  readonly openModel: (id: string) => Promise<Model>
  readonly logger: Logger
  readonly redactor: Redactor
}

/** What one session is made of. It dies with the session. */
export interface SessionState {
  readonly agent: AgentSide
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  readonly messages: Message[]
  readonly servers: ServerGroup
  readonly rejectedServers: readonly { readonly server: string; readonly reason: string }[]
  readonly tools: readonly Tool[]
  readonly gate: Gate
  model: string
  /** The last report that a turn told, so that each turn only tells what is new. */
  reported: string | undefined
}

export function clientsOf({ agent, servers }: SessionState): McpClients {
  return mergeMcpClients(agent.servers.clients, servers.clients)
}

export function toolsOf({ agent, tools }: SessionState): readonly Tool[] {
  return [...agent.tools, ...tools]
}

export function reportOf(state: SessionState): ServerReport {
  return toServerReport({
    clients: clientsOf(state),
    shadowed: shadowedServers(state.agent.servers.clients, state.servers.clients),
    rejected: state.rejectedServers,
  })
}
