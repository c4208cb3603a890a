import type { MarkedSecrets } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'

/** Formats of other programs' server lists. `mcpServers` is the most common one: Claude Desktop, Claude Code, Cursor, Gemini, Windsurf. */
export const serverListFormats = ['mcpServers', 'vscode', 'zed', 'codex', 'opencode', 'goose'] as const
export type ServerListFormat = (typeof serverListFormats)[number]

/** Reading them starts nothing and asks for nothing. */
export interface ServerList {
  readonly format: ServerListFormat
  readonly servers: readonly FoundServer[]
  readonly skipped: readonly SkippedServer[]
  /** The other program asks its user for them. */
  readonly inputs: readonly ServerListInput[]
  readonly notes: readonly string[]
}

export interface FoundServer {
  readonly name: string
  /** Includes secrets: not to be shown. `${input:ID}` marks missing values. */
  readonly entry: ServerEntryInput
  /** Treated as secret regardless of their names. */
  readonly secret: MarkedSecrets
  /** Without secrets. */
  readonly origin: string
  /** Labels of the values treated as secret: `env.TOKEN`, `args.2`, `url.query.key`. */
  readonly secrets: readonly string[]
  readonly inputs: readonly string[]
  readonly variables: readonly string[]
  readonly notes: readonly string[]
}

export interface SkippedServer {
  readonly name: string
  readonly reason: string
}

export interface ServerListInput {
  readonly id: string
  readonly description?: string
  readonly isSecret: boolean
  readonly default?: string
  /** It stands for a placeholder in the text. */
  readonly isGap?: boolean
}
