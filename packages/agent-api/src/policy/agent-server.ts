import { OstlerError } from '../errors.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Rate } from './rate-gate.ts'
import type { ServerPolicy } from './tool-config.ts'

/** A server of the agent itself: how to reach it, and what its tools may do. */
export interface AgentServer extends ServerPolicy {
  readonly server: McpServerConfig
  /** Without it the agent does not start. */
  readonly required?: boolean
  /** Whether its word that a tool only reads is taken. */
  readonly trusted?: boolean
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
