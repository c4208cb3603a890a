import type { OstlerError } from '../base/errors.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { FenceReport } from '../messages/fence-report.ts'
import type { Icon, JsonSchema, ToolAnnotations, ToolArguments, ToolResult } from '../messages/tool.ts'
import type { Answer, ServerQuestion } from '../messages/question.ts'
import type { KnownServer } from './known-server.ts'
import type { McpRelay } from './relay.ts'
import type { McpServerConfig, StdioServerConfig } from './server-config.ts'
import type { McpLogLevel } from '../messages/log-level.ts'
import type { McpLogEntry } from './server-log.ts'
import type { StderrLine } from './transports/stderr-tail.ts'

/** A connection to one MCP server. Belongs to one owner, an agent or a session, which disposes it. */
export interface McpClient extends AsyncDisposable {
  readonly name: string
  readonly config: McpServerConfig
  /** Its command line or address, without secrets. */
  readonly origin: string
  readonly status: McpStatus
  /**
   * The server's tools, cleaned and capped. Keeps the last list while a lost connection is restored. Before the first list, these are the
   * tools of an earlier process, if the server is known. Empty after the quick retries have failed.
   */
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  /** The server as this client saw it last, as far as it may be offered. Undefined before its first connection. The same object until it changes. */
  readonly seen: KnownServer | undefined
  /** True while what is offered is from an earlier connection: during the first attempt to connect, or until the next use of the server. */
  readonly isAnticipated: boolean
  readonly instructions: string | undefined
  /** The capabilities of the server: `tools`, `tools.listChanged`. Empty before the first connection. */
  readonly capabilities: readonly string[]
  /** Settles when the first attempt to connect has ended, or the last one started by `wake` or `reconnect`. Never rejects. */
  readonly settled: Promise<void>
  /** The fence in which the server really runs. Undefined if its configuration has no sandbox, and before its first start. */
  readonly fence: FenceReport | undefined
  /** The reason why the last attempt failed or the connection was lost. Undefined while connected. */
  readonly failure: OstlerError | undefined
  /** Durations of the last successful attempt. */
  readonly phases: ConnectPhases | undefined
  /**
   * Settles when the server is connected. Starts an idle one, once for all callers, until the last of them cancels. Restores a lost one.
   * Throws `OstlerError` (`mcp.*`) with the server's last output.
   */
  use(options: McpRequestOptions): Promise<void>
  /**
   * Returns the result as the server sent it: the path of a call cleans it, and redacts its secrets. Throws `OstlerError` (`mcp.*`) with a
   * message that may be shown. Waits for a pending connection and restores a lost one.
   */
  callTool(name: string, args: ToolArguments, options: McpCallOptions): Promise<ToolResult>
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: McpRequestOptions,
  ): Promise<McpPromptResult>
  /** Values that the server suggests for an argument, if any. */
  complete(request: McpCompletion, options: McpRequestOptions): Promise<McpSuggestions>
  listResources(options: McpRequestOptions): Promise<readonly McpResource[]>
  /** Their `uri` has places for arguments: `note://{day}`. */
  listResourceTemplates(options: McpRequestOptions): Promise<readonly McpResource[]>
  readResource(uri: string, options: McpRequestOptions): Promise<readonly ContentBlock[]>
  /** Sends a request that a person repeats. Its answer is in the protocol log. */
  resend(method: string, params: Readonly<Record<string, unknown>>, options: McpRequestOptions): Promise<void>
  readonly serverLog: McpServerLog
  readonly hasResources: boolean
  /** From now on, `onResourceChange` reports changes of this resource, if the server announces them. */
  watchResource(uri: string): void
  unwatchResource(uri: string): void
  readonly watchedResources: readonly string[]
  onResourceChange(listener: (uri: string) => void): () => void
  /** Reconnects at once if not connected, unless an attempt has just failed. A server that starts on use is only checked. */
  wake(): void
  /** Reconnects, even if connected. Settles when the attempt has ended, either way. */
  reconnect(): Promise<void>
  /** Reads the lists of the connected server again. */
  relist(): Promise<void>
  /** Called after each change of `status`, `tools` or `prompts`. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

/** The log of a server, for a person. Cleaned and redacted. */
interface McpServerLog {
  /** The lowest severity that is requested from the server. */
  readonly level: McpLogLevel
  /** The last messages, oldest first. */
  entries(): readonly McpLogEntry[]
  /** The last lines of its stderr output, oldest first. */
  stderr(): readonly StderrLine[]
  /** Also applies to the next connections. Throws `mcp.*` if the connected server refuses it. */
  setLevel(level: McpLogLevel, options: McpRequestOptions): Promise<void>
}

/** The state of a connection. An `idle` one starts when it is used. After an `error`, Ostler tries again if `willRetry` is true. */
export type McpStatus =
  | { readonly state: 'idle' }
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'connected'; readonly server: McpServerIdentity; readonly warnings: readonly string[] }
  | {
      readonly state: 'error'
      readonly reason: string
      readonly willRetry: boolean
      readonly needsLogin?: true
    }
  | { readonly state: 'disconnected' }

/** Durations of the parts of connecting, in milliseconds. */
export interface ConnectPhases {
  /** Until the process was running and the first request could be sent. */
  readonly startMs: number
  readonly handshakeMs: number
  /** Until tools and prompts were listed. */
  readonly discoveryMs: number
}

export interface McpServerIdentity {
  readonly name: string
  readonly version: string
  readonly protocolVersion: string
  readonly instructions?: string
  readonly hasResources?: true
  readonly icons?: readonly Icon[]
}

export interface McpToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  /** It can only be called as a task. */
  readonly runsAsTask?: true
  /** The resource with the page that shows its results (MCP Apps). Begins with `ui://`. */
  readonly appUri?: string
}

export interface McpPromptDefinition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly arguments: readonly {
    readonly name: string
    readonly description?: string
    readonly required: boolean
  }[]
  readonly icons?: readonly Icon[]
}

/** A question for the values of an argument of a prompt, or of a resource template. */
export type McpCompletion = ({ readonly prompt: string } | { readonly template: string }) &
  McpCompletedArgument

interface McpCompletedArgument {
  readonly argument: string
  readonly value: string
  readonly known: Readonly<Record<string, string>>
}

export interface McpSuggestions {
  readonly values: readonly string[]
  readonly hasMore: boolean
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
  /** Maximum time without progress, if configured. */
  readonly timeoutMs?: number | undefined
  /** The tool as it was decided on. If the server has changed it since, nothing runs. */
  readonly definition?: McpToolDefinition
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
}

export interface McpPromptResult {
  readonly description?: string
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }[]
}

/** The requests that a server may send to its client. A missing function means that the capability is not declared. */
export interface McpHost {
  readonly cwd: string
  /** Reaches the servers of type `acp`. */
  readonly relay?: McpRelay | undefined
  /** The reason why the server may not be connected, if it may not. */
  readonly refusal?: string | undefined
  /** Called before each start of a process. Returns what is started. Rejects with an `OstlerError` if it may not start. */
  readonly prepareStart?: (config: StdioServerConfig) => Promise<StdioServerConfig>
  /** Called when a server in a fence wants to reach a host that no setting names. */
  readonly askHost?: (
    asked: { readonly server: McpServerConfig; readonly host: string },
    signal: AbortSignal,
  ) => Promise<boolean>
  readonly roots: readonly string[]
  /** The kinds of questions that `elicit` can ask. All of them if undefined. */
  readonly elicitModes?: readonly ElicitMode[]
  /** Called for a question that the person was not asked. By default, because the editor cannot show it. */
  readonly onDeclined?: (question: {
    readonly server: string
    readonly message: string
    readonly url?: string
    readonly why?: string
  }) => void
  /** Called when the purpose of a question's page is fulfilled. */
  readonly onElicited?: (elicitationId: string) => void
  readonly elicit?: ((question: ServerQuestion, signal: AbortSignal) => Promise<Answer>) | undefined
  readonly sample?: (request: McpSampling, signal: AbortSignal) => Promise<McpSamplingAnswer>
}

export type ElicitMode = 'form' | 'url'

export interface McpSampling {
  readonly server: string
  readonly systemPrompt?: string
  readonly messages: readonly {
    readonly role: 'user' | 'assistant'
    readonly content: readonly ContentBlock[]
  }[]
  readonly maxTokens: number
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
}

export interface McpSamplingAnswer {
  readonly model: string
  readonly text: string
  readonly stopReason: 'endTurn' | 'maxTokens'
}
