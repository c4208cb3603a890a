import type { Logger } from '@ostler/agent-api'
import type { Strike } from '@ostler/agent-api/internal'
import type { History, ServerView } from '@ostler/agent-api/manage'
import type { AgentSource } from './agent-source.ts'
import type { Audit } from './audit.ts'
import type { LiveFeed } from './live-feed.ts'
import type { Consent } from './require-consent.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of a console that its routes need. */
export interface ConsoleSettings {
  readonly version: string
  readonly stateDir: string
  readonly env: Environment
  /** Converts servers to the format other programs import, without secrets. */
  readonly exportServers: (servers: readonly ServerView[]) => unknown
}

/** The dependencies of all routes. */
export interface ConsoleContext extends ConsoleSettings {
  /** The flags that make other commands use the same agent file and state. */
  readonly commandFlags: readonly string[]
  readonly agent: AgentSource
  readonly history: History
  readonly audit: Audit
  readonly live: LiveFeed
  readonly consent: Consent
  /** For data that does not pass `sendReply` as a value: downloads, and texts that are compared with those of the page. */
  readonly strike: Strike
  readonly logger: Logger
}
