import type { MarkedSecrets } from '../../secret-store/seal-secrets.ts'
import type { ServerEntryInput } from '../service/server-service.ts'

/** How another program writes down its servers. `mcpServers` is what most of them read: Claude Desktop, Claude Code, Cursor, Windsurf. */
export const serverListFormats = ['mcpServers', 'vscode', 'zed'] as const
export type ServerListFormat = (typeof serverListFormats)[number]

/** The servers that another program's settings hold. Reading them starts nothing, and asks for nothing. */
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
  /** As it would stand in the agent file, secrets and all: not to be shown. `${input:ID}` stands where a value is still missing. */
  readonly entry: ServerEntryInput
  /** What is secret although it does not look it. */
  readonly secret: MarkedSecrets
  /** Its command line or address, what is secret in it struck. */
  readonly origin: string
  /** What is taken for a secret, by label: `env.TOKEN`, `args.2`, `url.query.key`. */
  readonly secrets: readonly string[]
  /** Which inputs it wants. */
  readonly inputs: readonly string[]
  /** Variables of the environment that it cannot do without. */
  readonly variables: readonly string[]
  /** A file with more of its variables, which was not read. */
  readonly envFile?: string
  /** What was changed or left out, for a person. */
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
}
