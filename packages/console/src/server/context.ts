import type { Logger } from '@ostler/agent-api'
import type { Strike, State } from '@ostler/agent-api/internal'
import type { ServerView } from '@ostler/workbench'
import type { AgentSource } from './agent-source.ts'
import type { Audit } from './audit.ts'
import type { LiveFeed } from './live-feed.ts'
import type { Consent } from './server-consent.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConsoleSettings {
  readonly version: string
  readonly stateDir: string
  readonly env: Environment
  readonly exportServers: (servers: readonly ServerView[]) => unknown
}

export interface ConsoleContext extends ConsoleSettings {
  /** The flags that make other commands use the same agent file and state. */
  readonly commandFlags: readonly string[]
  readonly agent: AgentSource
  readonly state: State
  readonly audit: Audit
  readonly live: LiveFeed
  readonly consent: Consent
  /** For data that does not pass `sendReply` as a value: downloads, and texts that are compared with those of the page. */
  readonly strike: Strike
  readonly logger: Logger
}
