import type { Logger, Redactor } from '@ostler/agent-api'
import type { History, ServerView } from '@ostler/agent-api/manage'
import type { AgentSource } from './agent-source.ts'
import type { Audit } from './audit.ts'
import type { LiveFeed } from './live-feed.ts'
import type { Consent } from './require-consent.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The dependencies of all routes. */
export interface ConsoleContext {
  readonly version: string
  readonly stateDir: string
  /** The flags that lead other commands to the same agent file and state. */
  readonly commandFlags: readonly string[]
  readonly env: Environment
  readonly agent: AgentSource
  readonly history: History
  readonly audit: Audit
  readonly live: LiveFeed
  readonly consent: Consent
  readonly exportServers: (servers: readonly ServerView[]) => unknown
  readonly redactor: Redactor
  readonly logger: Logger
}
