import type { MarkedSecrets } from '@ostler/agent-api/internal'
import type { ServerEntryInput } from '../server-service.ts'

/** Formats of other programs' server lists. `mcpServers` is the most common one: Claude Desktop, Claude Code, Cursor, Gemini, Windsurf. */
export const serverListFormats = ['mcpServers', 'vscode', 'zed', 'codex', 'opencode', 'goose'] as const
export type ServerListFormat = (typeof serverListFormats)[number]

/** The servers in another program's settings. Reading them starts nothing and asks for nothing. */
export interface ServerList {
  readonly format: ServerListFormat
  readonly servers: readonly FoundServer[]
  readonly skipped: readonly SkippedServer[]
  /** Values that the other program asks its user for. */
  readonly inputs: readonly ServerListInput[]
  readonly notes: readonly string[]
}

export interface FoundServer {
  readonly name: string
  /** The entry for the agent file, including secrets: not to be shown. `${input:ID}` marks missing values. */
  readonly entry: ServerEntryInput
  /** Values to treat as secret regardless of their names. */
  readonly secret: MarkedSecrets
  /** The command line or address, without secrets. */
  readonly origin: string
  /** Labels of the values treated as secret: `env.TOKEN`, `args.2`, `url.query.key`. */
  readonly secrets: readonly string[]
  /** Ids of the inputs that it needs. */
  readonly inputs: readonly string[]
  /** Environment variables that it needs. */
  readonly variables: readonly string[]
  /** A file with more variables, which has not been read. */
  readonly envFile?: string
  /** Changes and omissions, for a person. */
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
