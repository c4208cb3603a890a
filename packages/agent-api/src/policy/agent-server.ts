import { OstlerError } from '../base/errors.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Rate } from './rate-gate.ts'
import type { ServerPolicy, ToolApproval, ToolConfig } from './tool-config.ts'

/** A server of the agent itself: how to reach it, and what its tools may do. */
export interface AgentServer extends ServerPolicy {
  readonly server: McpServerConfig
  /** Without it the agent does not start. */
  readonly required?: boolean
  /** Whether its word that a tool only reads is taken. */
  readonly trusted?: boolean
  readonly rateLimit?: Rate
  /** The prompts that become slash commands; all of them when unset. */
  readonly prompts?: readonly string[]
}

/** How the servers that come with a session are treated. Their tools are always offered, so nothing is said of `include`. */
export interface SessionServerPolicy extends Pick<ServerPolicy, 'mode'> {
  readonly defaultToolConfig?: Omit<ToolConfig, 'include'>
  readonly approval?: ToolApproval
  /** Of each server by itself, in each session. */
  readonly rateLimit?: Rate
}

/** For configurations that came from a program and not through the agent file. */
export function checkAgentServers(servers: readonly AgentServer[]): void {
  for (const { server, mode, defaultToolConfig } of servers) {
    if (mode !== 'dynamic' || defaultToolConfig !== undefined) continue
    throw new OstlerError(
      'config.invalid',
      `MCP server '${server.name}' is configured with mode='dynamic' but missing required field 'defaultToolConfig'`,
    )
  }
}
