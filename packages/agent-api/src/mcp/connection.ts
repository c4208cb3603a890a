import type { OstlerError } from '../base/errors.ts'
import type { Fence } from '../fence/fence.ts'
import type { ToolArguments, ToolResult } from '../messages/tool.ts'
import type {
  McpCallOptions,
  McpClient,
  McpPromptDefinition,
  McpRequestOptions,
  McpServerIdentity,
  McpToolDefinition,
} from './mcp-client.ts'
import type { ServerLogin } from './oauth/logins.ts'
import type { OpenMcpClientOptions } from './open-mcp-client.ts'
import type { Sanitized } from './sanitize.ts'
import type { ServerLog } from './server-log.ts'
import type { ServerProcess } from './server-process.ts'
import type { McpTask } from './task.ts'
import type { Timing } from '../base/timing.ts'

/** An established connection, used once. Every method throws `OstlerError` (`mcp.*`). */
export interface Connection
  extends
    AsyncDisposable,
    Pick<
      McpClient,
      | 'callTool'
      | 'getPrompt'
      | 'listResources'
      | 'listResourceTemplates'
      | 'readResource'
      | 'complete'
      | 'capabilities'
    > {
  readonly server: McpServerIdentity
  readonly era: ProtocolEra
  /** Set once the connection is unusable. */
  readonly lost: OstlerError | undefined
  readonly isBusy: boolean
  /** True while the server waits for the person or the model. */
  readonly isAsking: boolean
  /** Time of the server's last message, by `performance.now()`. */
  readonly heardAt: number
  /** Settles once the server has answered in any way. Undefined if the protocol has no ping. */
  readonly ping?: (timeoutMs: number) => Promise<void>
  listTools(signal: AbortSignal): Promise<Sanitized<McpToolDefinition>>
  listPrompts(signal: AbortSignal): Promise<Sanitized<McpPromptDefinition>>
  /** Starts a call as a task. A server that answers at once has a result. */
  startTask(name: string, args: ToolArguments, options: McpCallOptions): Promise<McpTask | ToolResult>
  getTask(id: string, options: McpRequestOptions): Promise<McpTask>
  /** Settles when the task has ended. */
  taskResult(id: string, options: McpRequestOptions): Promise<ToolResult>
  cancelTask(id: string, options: McpRequestOptions): Promise<void>
  /** Requests the level of the log from now on. Does nothing if the server does not log. */
  setLogLevel(options: McpRequestOptions): Promise<void>
  /** Does nothing if the server offers no subscriptions. */
  subscribe(uri: string): Promise<void>
  unsubscribe(uri: string): Promise<void>
  /** Sends a request as it is. Any answer that is not an error counts. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: McpRequestOptions,
  ): Promise<void>
}

/** A list whose changes a server announces. */
export type ListName = 'tools' | 'prompts'

/** Revisions up to 2025-11-25 start with `initialize`; later ones do not. */
export type ProtocolEra = 'legacy' | 'modern'

export interface ConnectOptions extends Pick<
  OpenMcpClientOptions,
  'config' | 'host' | 'own' | 'logger' | 'redactor' | 'protocol' | 'loginName'
> {
  readonly login: ServerLogin | undefined
  /** A process that was already started. The connection takes ownership. */
  readonly started: ServerProcess | undefined
  /** Around each process of this attempt. */
  readonly fence?: Fence | undefined
  /** The era of the last connection, tried first. */
  readonly era: ProtocolEra | undefined
  readonly onListChanged: (list: ListName) => void
  readonly log: ServerLog
  readonly onResourceChanged: (uri: string) => void
  readonly timing: Timing
  /** Called once if the connection ends without being disposed. */
  readonly onLost: (error: OstlerError) => void
}
