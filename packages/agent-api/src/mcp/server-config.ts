/** One MCP server, as Ostler connects it. Plain data; validated where it came in. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig

interface ServerConfigBase {
  readonly name: string
  /** The id under which it is stored. Its calls are kept under it, since it may be renamed. */
  readonly storedId?: string
  /** How long a connection attempt, its tool list included, may take. */
  readonly connectTimeoutMs?: number
  /** How many quick retries a failed connection gets before the slow ones; with 0 it is never retried by itself. */
  readonly retryAttempts?: number
  /** How long one call may take without a word of progress. */
  readonly callTimeoutMs?: number
  /** Skips the negotiation of the MCP revision; only needed where a server misbehaves in it. */
  readonly protocol?: 'auto' | 'legacy' | '2026-07-28'
}

export interface StdioServerConfig extends ServerConfigBase {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where it starts; the session's `cwd` when unset. */
  readonly cwd?: string
}

export interface HttpServerConfig extends ServerConfigBase {
  readonly type: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The headers show the server who we are: it is not logged in to. One named `Authorization` says so by itself. */
  readonly hasAuth?: boolean
  readonly allowInsecureHttp?: boolean
}
