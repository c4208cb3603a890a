import type { OstlerError } from '../base/errors.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { ToolAnnotations, ToolArguments, JsonSchema } from '../messages/tool.ts'
import type { McpServerConfig } from './server-config.ts'

/** A connection to one MCP server, held for one owner (an agent or a session) and disposed by it. */
export interface McpClient extends AsyncDisposable {
  readonly name: string
  readonly config: McpServerConfig
  /** The latest word; `onChange` tells when it is another. */
  readonly status: McpStatus
  /**
   * What the server offers, cleaned and capped. The last good list while a lost connection is made anew; none before the first, and none
   * once the quick retries have failed.
   */
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  /** Settles when the first attempt to connect has ended, or the last one that `wake` or `reconnect` began. Never rejects. */
  readonly settled: Promise<void>
  /** Why the last attempt failed or the connection was lost, also while the next attempt is made; unset while it is connected. */
  readonly failure: OstlerError | undefined
  /** How long each part of the last successful attempt took. */
  readonly phases: McpConnectPhases | undefined
  /** Throws `OstlerError` (`mcp.*`) with a text that may be shown; waits for a connection that is on its way, restarts one that was lost. */
  callTool(name: string, args: ToolArguments, options: McpCallOptions): Promise<McpToolResult>
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: McpRequestOptions): Promise<McpPromptResult>
  listResources(options: McpRequestOptions): Promise<readonly McpResource[]>
  readResource(uri: string, options: McpRequestOptions): Promise<readonly ContentBlock[]>
  /** Tries at once where no connection stands, unless an attempt has failed just now. */
  wake(): void
  /** Connects anew, also where a connection stands. Settles when the attempt has ended, either way. */
  reconnect(): Promise<void>
  /** Called after each change of `status`, `tools` or `prompts`. Returns the way to stop it. */
  onChange(listener: () => void): () => void
}

export type McpStatus =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'connected'; readonly server: McpServerIdentity; readonly warnings: readonly string[] }
  | { readonly state: 'error'; readonly reason: string; readonly willRetry: boolean; readonly needsLogin?: true }
  | { readonly state: 'disconnected' }

/** In milliseconds. */
export interface McpConnectPhases {
  /** Until its process ran and the request could be sent. */
  readonly startMs: number
  readonly handshakeMs: number
  /** Until its tools and prompts were known. */
  readonly discoveryMs: number
}

export interface McpServerIdentity {
  readonly name: string
  readonly version: string
  readonly protocolVersion: string
  readonly instructions?: string
}

export interface McpToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations?: ToolAnnotations
}

export interface McpPromptDefinition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[]
}

export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
}

export interface McpRequestOptions {
  readonly signal: AbortSignal
}

export interface McpCallOptions extends McpRequestOptions {
  /** How long it may take without a word of progress, where that is configured. */
  readonly timeoutMs?: number | undefined
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
}

/** The server's answer as it came, content kinds that we do not know turned into a text that says so. */
export interface McpToolResult {
  readonly isError: boolean
  readonly content: readonly ContentBlock[]
  readonly structured?: unknown
}

export interface McpPromptResult {
  readonly description?: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[]
}

/** What a server may ask of whoever connected it. A port that is missing is a capability that is not declared. */
export interface McpHost {
  readonly cwd: string
  /** Directories shown to the server as its roots. */
  readonly roots: readonly string[]
  readonly elicit?: (request: McpElicitation, signal: AbortSignal) => Promise<McpElicitationAnswer>
  readonly sample?: (request: McpSampling, signal: AbortSignal) => Promise<McpSamplingAnswer>
}

export type McpElicitation =
  | { readonly server: string; readonly mode: 'form'; readonly message: string; readonly schema: JsonSchema }
  | { readonly server: string; readonly mode: 'url'; readonly message: string; readonly url: string; readonly elicitationId: string }

export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' }

export interface McpSampling {
  readonly server: string
  readonly systemPrompt?: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: readonly ContentBlock[] }[]
  readonly maxTokens: number
  readonly temperature?: number
}

export interface McpSamplingAnswer {
  readonly model: string
  readonly text: string
  readonly stopReason: 'endTurn' | 'maxTokens'
}
