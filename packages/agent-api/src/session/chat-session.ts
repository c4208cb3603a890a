import type { SessionId } from '../base/ids.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { Icon, ToolRef } from '../messages/tool.ts'
import type { TranscriptEntry } from '../messages/transcript.ts'
import type { ServerReport, TurnEvent } from '../messages/turn-event.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { ApprovalMode } from '../policy/approval-mode.ts'
import type { Person } from '../policy/question.ts'
import type { ThoughtChoice } from '../provider/thought-level.ts'
import type { LocalTools } from '../policy/local-tools.ts'
import type { EditorWorkspace } from '../workspace/workspace.ts'

/** The settings of one session. Only `cwd` is required. */
export interface SessionOptions {
  readonly id?: SessionId
  /** An absolute path. Servers start here, and it is their first root. */
  readonly cwd: string
  readonly additionalDirectories?: readonly string[]
  /** Connected for this session only, never stored, and ended with it. */
  readonly sessionMcpServers?: readonly McpServerConfig[]
  /** Servers that were requested but not valid. They appear in the report. */
  readonly rejectedServers?: readonly { readonly server: string; readonly reason: string }[]
  readonly tools?: LocalTools
  /** The parts that an editor provides for the built-in tools. This machine provides the rest. */
  readonly workspace?: EditorWorkspace
  /** Answers questions. Without one, calls that need permission are denied. */
  readonly person?: Person
  /** Reaches the servers of type `acp`. */
  readonly relay?: McpHost['relay'] | undefined
  readonly model?: string
  readonly mode?: ApprovalMode
  readonly thoughtLevel?: ThoughtChoice
}

/** A conversation with its messages, servers and settings. Everything ends with `[Symbol.asyncDispose]()`. */
export interface ChatSession extends AsyncDisposable {
  readonly id: SessionId
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  /** Derived from the first prompt. Undefined before. */
  readonly title: string | undefined
  /** Time of the last use, in ISO 8601. */
  readonly updatedAt: string
  readonly model: string
  readonly mode: ApprovalMode
  readonly thoughtLevel: ThoughtChoice
  readonly commands: readonly SlashCommand[]

  /**
   * Answers a prompt. Throws `session.busy` while another one is being answered. The stream ends with `turn_end`, also after an abort.
   * Leaving the stream early cancels the turn.
   */
  prompt(
    content: readonly ContentBlock[],
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<TurnEvent>
  /** Ends the running turn as `cancelled`, if there is one. */
  cancel(): void

  addSessionMcpServer(config: McpServerConfig): void
  removeSessionMcpServer(name: string): Promise<void>
  getSessionMcpClients(): ReadonlyMap<string, McpClient>
  serverReport(): ServerReport
  /** Sets a note for the person in the report, replacing the previous one. Undefined removes it. */
  note(text: string | undefined): void
  /** The icons of a tool, or else of its server, that can be shown without a request to anyone. */
  iconsOf(ref: ToolRef): readonly Icon[]
  readonly serversSettled: Promise<void>

  /** All prompts, and everything shown so far. Calls interrupted by a crash are ended. */
  transcript(): AsyncIterable<TranscriptEntry>

  /** Throws `model.unknown` if the model does not exist. */
  setModel(id: string): Promise<void>
  setMode(mode: ApprovalMode): void
  setThoughtLevel(level: ThoughtChoice): void
  /**
   * Called after each change of `commands`, `title`, `model`, `mode`, `thoughtLevel`, the list of models, the servers' states or the report's notes. Returns a function that
   * removes the listener.
   */
  onChange(listener: (what: SessionChange) => void): () => void
}

export type SessionChange =
  | 'commands'
  | 'title'
  | 'model'
  | 'mode'
  | 'thoughtLevel'
  | 'models'
  | 'servers'
  | 'notes'

/** A command that a prompt can begin with: `/compact`. The name has no slash. */
export interface SlashCommand {
  readonly name: string
  readonly description: string
  readonly hint?: string
  readonly icons?: readonly Icon[] | undefined
}
