import { secretsOfHeaders } from '../mcp/secrets-of.ts'
import { secretsOfOAuth } from '../mcp/oauth/oauth-settings.ts'
import type { HttpServerConfig, McpServerConfig } from '../mcp/server-config.ts'
import type { AgentServer } from '../policy/agent-server.ts'
import type { Rate } from '../policy/rate-gate.ts'
import type { ConfiguredTool, ToolConfig } from '../policy/tool-config.ts'
import type { AgentFile } from './agent-file-schema.ts'
import type { BuiltinSettings } from '../workspace/builtin-tools.ts'

type ServerEntry = AgentFile['mcpServers'][string]
type RemoteEntry = Exclude<ServerEntry, { type: 'stdio' }>
type ToolFields = NonNullable<ServerEntry['defaultToolConfig']>

export function toConfiguredTools({ toolbox }: AgentFile): readonly ConfiguredTool[] {
  return toolbox.tools.map(({ name, server, mode, ...fields }) => ({
    name,
    server,
    mode,
    ...toToolConfig(fields),
  }))
}

export function toAgentServer(
  name: string,
  entry: ServerEntry,
  written?: AgentServer['written'],
): AgentServer {
  return {
    config: toServerConfig(name, entry),
    written,
    description: entry.description,
    mode: entry.mode,
    defaultToolConfig: entry.defaultToolConfig && toToolConfig(entry.defaultToolConfig),
    include: entry.include,
    schemas: entry.schemas,
    definitionChanges: entry.definitionChanges,
    toolAllowlist: entry.toolAllowlist,
    toolDenylist: entry.toolDenylist,
    required: entry.required,
    trusted: entry.trusted,
    rateLimit: toRate(entry.rateLimit),
    prompts: entry.prompts,
    start: entry.start,
    idleMs: entry.idle,
  }
}

export function toRate(limit: ServerEntry['rateLimit']): Rate | undefined {
  return limit && { calls: limit.calls, perMs: limit.per }
}

export function toToolConfig({ maxInstances, timeout, include, approval }: ToolFields): ToolConfig {
  return { maxInstances, timeoutMs: timeout, include, approval }
}

function toServerConfig(name: string, entry: ServerEntry): McpServerConfig {
  const connection = { name, connectTimeoutMs: entry.timeout, retryAttempts: entry.retryAttempts }
  switch (entry.type) {
    case 'stdio':
      return {
        ...connection,
        type: entry.type,
        command: entry.command,
        args: entry.args,
        env: entry.env,
        cwd: entry.cwd,
        sandbox: entry.sandbox,
      }
    case 'http':
    case 'sse':
      return {
        ...connection,
        type: entry.type,
        url: entry.url,
        headers: { ...entry.headers, ...toAuthHeaders(entry.auth) },
        ...toOAuth(entry.auth),
        allowInsecureHttp: entry.allowInsecureHttp,
      }
  }
}

/** Settings without a fixed header obtain their tokens in another way. */
function toOAuth(auth: RemoteEntry['auth']): Pick<HttpServerConfig, 'hasAuth' | 'oauth'> {
  switch (auth.type) {
    case 'none':
      return {}
    case 'bearer':
    case 'api-key':
    case 'basic':
      return { hasAuth: true }
    default:
      return { oauth: auth }
  }
}

function toAuthHeaders(auth: RemoteEntry['auth']): Record<string, string> {
  switch (auth.type) {
    default:
      return {}
    case 'bearer':
      return { Authorization: `Bearer ${auth.token}` }
    case 'api-key':
      return { [auth.header]: auth.key }
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
  }
}

/** Secrets that do not appear in any server's configuration: model keys, and credentials that are sent in another form. */
export function secretsOfFile(file: AgentFile): string[] {
  const providers = Object.values(file.providers ?? {}).flatMap(({ apiKey, headers = {} }) => [
    ...(apiKey === undefined ? [] : [apiKey]),
    ...secretsOfHeaders(headers),
  ])
  return [...providers, ...Object.values(file.mcpServers).flatMap(secretsOfEntry)]
}

export function secretsOfEntry(entry: ServerEntry): string[] {
  if (entry.type === 'stdio') return []
  switch (entry.auth.type) {
    case 'none':
      return []
    default:
      return secretsOfOAuth(entry.auth)
    case 'bearer':
      return [entry.auth.token]
    case 'api-key':
      return [entry.auth.key]
    case 'basic':
      return [entry.auth.password]
  }
}

export function toBuiltinSettings({ tools }: AgentFile): BuiltinSettings {
  const entries = Object.entries(tools).map(([name, entry]) => [
    name,
    typeof entry === 'boolean' ? { enabled: entry } : toSettings(entry),
  ])
  return Object.fromEntries(entries) as BuiltinSettings
}

type BuiltinEntry = Exclude<NonNullable<AgentFile['tools'][keyof AgentFile['tools']]>, boolean>

function toSettings(entry: BuiltinEntry) {
  return {
    enabled: entry.enabled,
    ...toToolConfig(entry),
    ...('timeoutMax' in entry && { timeoutMsMax: entry.timeoutMax }),
    ...('keepVariables' in entry && { keepVariables: entry.keepVariables }),
    ...('sandbox' in entry && { sandbox: entry.sandbox }),
    ...('privateHosts' in entry && { privateHosts: entry.privateHosts }),
  }
}
