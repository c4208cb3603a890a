import { OstlerError } from '../base/errors.ts'
import type { Sandbox } from '../fence/fence.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Rate } from './rate-gate.ts'
import type { SchemaMode, ServerPolicy, ToolApproval, ToolConfig } from './tool-config.ts'

/** When servers start and end. */
export interface ServerRest {
  /** `known-on-demand`: a server that was connected before starts when it is used, unless it is strict or required. */
  readonly start?: 'eager' | 'known-on-demand' | undefined
  /** A server that was unused for this time ends until it is used. With `Infinity`, it stays. */
  readonly idleMs?: number | undefined
}

/** A server of the agent, with the policy for its tools. */
export interface AgentServer extends ServerPolicy, ServerRest {
  readonly config: McpServerConfig
  /** The entry as it was written, before variables are expanded. A lock is about it. Defaults to `config`. */
  readonly written?: Readonly<Record<string, unknown>> | undefined
  /** The server's purpose. */
  readonly description?: string | undefined
  /** If true, the agent does not start without this server. */
  readonly required?: boolean
  /** If true, the server's read-only hints are trusted. */
  readonly trusted?: boolean
  readonly rateLimit?: Rate
  /** Whether the schemas of its tools may wait. Defaults to `full`. */
  readonly schemas?: SchemaMode
  /** Prompts that become slash commands. Defaults to all. */
  readonly prompts?: readonly string[]
}

/** The policy for session servers. Their tools are always offered, so `include` does not apply. */
export interface SessionServerPolicy extends Pick<ServerPolicy, 'mode' | 'definitionChanges'>, ServerRest {
  readonly defaultToolConfig?: Omit<ToolConfig, 'include'>
  readonly approval?: ToolApproval
  /** Whether the servers that Ostler starts run in a fence. Off by default. */
  readonly sandbox?: Sandbox
  /** Applies to each server separately, per session. */
  readonly rateLimit?: Rate
  /** Whether the schemas of their tools may wait: for all, or by the server's name, where `*` stands for all others. Defaults to `auto`. */
  readonly schemas?: SchemaMode | Readonly<Record<string, SchemaMode>>
  /** The share of the model's window that their definitions may take before their schemas wait. Defaults to 0.1. */
  readonly schemaShare?: number
}

/** A server that can keep the agent from starting. */
export function isDecisive({ mode, required }: Pick<AgentServer, 'mode' | 'required'>): boolean {
  return mode === 'strict' || required === true
}

const idleMsDefault = 10 * 60_000

/** A server that is connected eagerly stays, unless it says otherwise. */
export function idleMsOf({ start, idleMs }: ServerRest): number {
  return idleMs ?? (start === 'known-on-demand' ? idleMsDefault : Infinity)
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
