import { OstlerError } from '../base/errors.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Rate } from './rate-gate.ts'
import type { ServerPolicy, ToolApproval, ToolConfig } from './tool-config.ts'

/** A server of the agent, with the policy for its tools. */
export interface AgentServer extends ServerPolicy {
  readonly config: McpServerConfig
  /** The server's purpose. */
  readonly description?: string | undefined
  /** If true, the agent does not start without this server. */
  readonly required?: boolean
  /** If true, the server's read-only hints are trusted. */
  readonly trusted?: boolean
  readonly rateLimit?: Rate
  /** Prompts that become slash commands. Defaults to all. */
  readonly prompts?: readonly string[]
}

/** The policy for session servers. Their tools are always offered, so `include` does not apply. */
export interface SessionServerPolicy extends Pick<ServerPolicy, 'mode'> {
  readonly defaultToolConfig?: Omit<ToolConfig, 'include'>
  readonly approval?: ToolApproval
  /** Applies to each server separately, per session. */
  readonly rateLimit?: Rate
}

/** Checks servers that a program passes, without the schema of the agent file. */
export function checkAgentServers(servers: readonly AgentServer[]): void {
  for (const { config, mode, defaultToolConfig } of servers) {
    if (mode !== 'dynamic' || defaultToolConfig !== undefined) continue
    throw new OstlerError('config.invalid', missingDefault(config.name))
  }
}

export function missingDefault(server: string): string {
  return `MCP server '${server}' is configured with mode='dynamic' but missing required field 'defaultToolConfig'`
}
