import type { Sandbox } from '../fence/fence.ts'
import type { OAuthSettings } from './oauth/oauth-settings.ts'

/** The configuration of one MCP server. Plain data, validated where it was read. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig | AcpServerConfig

interface ServerConfigBase {
  readonly name: string
  /** Id of a stored server. Its calls are recorded under it, because the server may be renamed. */
  readonly storedId?: string
  /** Timeout for connecting, including the list of tools. */
  readonly connectTimeoutMs?: number
  /** Number of quick retries before the slow ones. With 0, there are no automatic retries. */
  readonly retryAttempts?: number
  /** Maximum time of a call without progress. */
  readonly callTimeoutMs?: number
  /** Skips the negotiation of the MCP revision. Only needed for servers that fail at it. */
  readonly protocol?: 'auto' | 'legacy' | '2026-07-28'
}

/** A server that is started as a process. It gets a few harmless variables of this process, and `env`. */
export interface StdioServerConfig extends ServerConfigBase {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Working directory. Defaults to the session's `cwd`. */
  readonly cwd?: string
  /** Whether it runs in a fence: without network, and writing only in the directories of its session, or in `cwd`. Off by default. */
  readonly sandbox?: Sandbox | undefined
}

/** A remote server. `sse` is the transport of older servers. */
export interface HttpServerConfig extends ServerConfigBase {
  readonly type: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** True if the headers contain credentials, so that no login is used. Implied by an `Authorization` header. */
  readonly hasAuth?: boolean
  readonly allowInsecureHttp?: boolean
  /** The way in which tokens are obtained, if the entry states one. */
  readonly oauth?: OAuthSettings
}

/** A server of the editor itself. Its messages pass `McpHost.relay`. */
export interface AcpServerConfig extends ServerConfigBase {
  readonly type: 'acp'
  readonly serverId: string
  /** The name of the editor, because other editors may use the same id for another server. */
  readonly editor: string
}

export function isHttpServer(config: McpServerConfig): config is HttpServerConfig {
  return config.type === 'http' || config.type === 'sse'
}
