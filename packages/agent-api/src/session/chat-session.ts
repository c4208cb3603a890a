import type { SessionId } from '../base/ids.ts'
import type { ContentBlock } from '../messages/content.ts'
import type { TranscriptEntry } from '../messages/transcript.ts'
import type { ServerReport, TurnEvent } from '../messages/turn-event.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { ApprovalMode } from '../policy/approval.ts'
import type { Approver } from '../policy/approver.ts'
import type { Tool } from '../messages/tool.ts'

export interface SessionOptions {
  readonly id?: SessionId
  /** An absolute path: servers start here, and it is their first root. */
  readonly cwd: string
  readonly additionalDirectories?: readonly string[]
  /** Connected for this session only, written nowhere, ended with it. */
  readonly sessionMcpServers?: readonly McpServerConfig[]
  /** Servers that were asked for but could not even be read: they show up in the report. */
  readonly rejectedServers?: readonly { readonly server: string; readonly reason: string }[]
  readonly tools?: readonly Tool[]
  readonly approver?: Approver
  readonly elicit?: McpHost['elicit']
  readonly model?: string
  readonly mode?: ApprovalMode
}

/** One conversation: its messages, its servers, its settings. Everything of it ends with `[Symbol.asyncDispose]()`. */
export interface ChatSession extends AsyncDisposable {
  readonly id: SessionId
  readonly cwd: string
  readonly additionalDirectories: readonly string[]
  /** What was first said in it; unset until then. */
  readonly title: string | undefined
  /** When it was last used. ISO 8601. */
  readonly updatedAt: string
  readonly model: string
  readonly mode: ApprovalMode
  readonly commands: readonly SlashCommand[]

  /**
   * Answers a prompt, one at a time (`session.busy` otherwise). The stream ends with `turn_end`; an abort is a `turn_end` too, never a throw.
   * Leaving the stream early cancels the turn.
   */
  prompt(content: readonly ContentBlock[], options?: { readonly signal?: AbortSignal }): AsyncIterable<TurnEvent>
  /** Ends the running turn as `cancelled`; nothing happens when there is none. */
  cancel(): void

  addSessionMcpServer(config: McpServerConfig): void
  removeSessionMcpServer(name: string): Promise<void>
  getSessionMcpClients(): ReadonlyMap<string, McpClient>
  /** How the servers stand now. */
  serverReport(): ServerReport
  /** What the report says besides, for the person, in place of what was noted before; undefined takes that back. */
  note(text: string | undefined): void
  /** Settles when every server has connected or failed once. */
  readonly serversSettled: Promise<void>

  /** All that was said and shown so far, calls that a crash cut off with an end. */
  transcript(): AsyncIterable<TranscriptEntry>

  /** Throws `model.unknown` when there is no such model. */
  setModel(id: string): Promise<void>
  setMode(mode: ApprovalMode): void
  /** Called after each change of `commands`, `title`, `model`, `mode`, the servers' states or the notes in the report. Returns the way to stop it. */
  onChange(listener: (what: SessionChange) => void): () => void
}

export type SessionChange = 'commands' | 'title' | 'model' | 'mode' | 'servers' | 'notes'

export interface SlashCommand {
  readonly name: string
  readonly description: string
  readonly hint?: string
}
