import type { OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { ToolArguments } from '../messages/tool.ts'
import type {
  McpCallOptions,
  McpHost,
  McpPromptDefinition,
  McpPromptResult,
  McpRequestOptions,
  McpResource,
  McpServerIdentity,
  McpToolDefinition,
  McpToolResult,
} from './mcp-client.ts'
import type { ServerLogin } from './oauth/logins.ts'
import type { Sanitized } from './sanitize.ts'
import type { McpServerConfig } from './server-config.ts'
import type { ServerProcess } from './server-process.ts'
import type { Timing } from './timing.ts'

/** One connection that stands: it is made once, used, and thrown away. Every method throws `OstlerError` (`mcp.*`). */
export interface Connection extends AsyncDisposable {
  readonly server: McpServerIdentity
  readonly era: ProtocolEra
  /** Set as soon as the connection is of no more use. */
  readonly lost: OstlerError | undefined
  /** Whether something is being waited for. */
  readonly isBusy: boolean
  /** When the server last gave a sign of life, by `performance.now()`. */
  readonly heardAt: number
  /** Settles when the server has answered, whatever it said. Unset where the protocol has no such question. */
  readonly ping?: (timeoutMs: number) => Promise<void>
  listTools(signal: AbortSignal): Promise<Sanitized<McpToolDefinition>>
  listPrompts(signal: AbortSignal): Promise<Sanitized<McpPromptDefinition>>
  callTool(name: string, args: ToolArguments, options: McpCallOptions): Promise<McpToolResult>
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: McpRequestOptions): Promise<McpPromptResult>
  listResources(options: McpRequestOptions): Promise<readonly McpResource[]>
  readResource(uri: string, options: McpRequestOptions): Promise<readonly ContentBlock[]>
}

/** Revisions up to 2025-11-25 open with `initialize`; those from 2026-07-28 on do not. */
export type ProtocolEra = 'legacy' | 'modern'

export interface ConnectOptions {
  readonly config: McpServerConfig
  readonly host: McpHost
  readonly logger: Logger
  readonly redactor: Redactor
  /** Unset where there is none to use. */
  readonly login: ServerLogin | undefined
  /** The server, where it has been started already. Whoever connects ends it. */
  readonly started: ServerProcess | undefined
  /** What the server spoke the last time, tried first. */
  readonly era: ProtocolEra | undefined
  readonly onListChanged: (list: 'tools' | 'prompts') => void
  readonly timing: Timing
  /** Called once, when the connection ends without having been disposed of. */
  readonly onLost: (error: OstlerError) => void
}
