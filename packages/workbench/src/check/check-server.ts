import type { AgentServer, Redactor, McpServerConfig } from '@ostler/agent-api'
import {
  type LoadedAgentFile,
  toAdmission,
  missingPrompts,
  unreachableText,
  type ConfiguredTool,
  type ServerMode,
  toServerOrigin,
} from '@ostler/agent-api/internal'
import { explainToolConfig, type ExplainedTool } from './check-tools.ts'
import type { ServerProbe } from './probe-servers.ts'

export interface CheckedServer {
  readonly name: string
  /** The agent file, or `ostler mcp` and the console. */
  readonly source: 'file' | 'stored'
  readonly type: McpServerConfig['type']
  readonly mode: ServerMode
  readonly required: boolean
  /** Without secrets. */
  readonly origin: string
  readonly place: string
  /** `unused`: a stored server that the agent file hides or does not choose. */
  readonly state: 'disabled' | 'unused' | 'not-connected' | 'connected' | 'failed'
  /** Until it connected or failed. */
  readonly connectMs?: number
  readonly reason?: string
  readonly tools: readonly ExplainedTool[]
}

export interface ServerFindings {
  readonly server: CheckedServer
  /** They keep the agent from starting. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

export interface CheckServerRequest {
  readonly server: AgentServer
  readonly enabled: boolean
  readonly probe: ServerProbe | undefined
  readonly configured: readonly ConfiguredTool[]
  readonly sourceOf: LoadedAgentFile['sourceOf']
  readonly redactor: Redactor
}

export function checkServer({
  server: agentServer,
  enabled,
  probe,
  configured,
  sourceOf,
  redactor,
}: CheckServerRequest): ServerFindings {
  const { config, mode, required = false } = agentServer
  const { name } = config
  const origin = toServerOrigin(config, redactor)
  const base = {
    name,
    source: 'file' as const,
    type: config.type,
    mode,
    required,
    origin,
    place: sourceOf(['mcpServers', name]),
    tools: [],
  }
  if (probe === undefined)
    return { server: { ...base, state: enabled ? 'not-connected' : 'disabled' }, problems: [], warnings: [] }

  const { status, tools: offered, prompts, settledMs } = probe
  const connectMs = Math.round(settledMs)
  if (status.state !== 'connected') {
    const reason = status.state === 'error' ? status.reason : status.state
    const problems = required ? [unreachableText(name, origin, reason)] : []
    return { server: { ...base, state: 'failed', connectMs, reason }, problems, warnings: [] }
  }
  const { tools, notes, violation } = toAdmission({
    server: name,
    origin,
    policy: agentServer,
    offered,
    configured,
  })
  return {
    server: {
      ...base,
      state: 'connected',
      connectMs,
      tools: [...tools].map(([tool, toolConfig]) => explainToolConfig(tool, name, toolConfig, sourceOf)),
    },
    problems: violation === undefined ? [] : [violation.message],
    warnings: [
      ...status.warnings.map((warning) => `MCP server '${name}': ${warning}`),
      ...notes.filter(({ level }) => level === 'warn').map(({ message }) => message),
      ...missingPrompts(agentServer, prompts),
    ],
  }
}
