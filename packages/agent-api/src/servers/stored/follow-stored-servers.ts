import type { Environment } from '../../config/environment-overrides.ts'
import { messageOf } from '../../base/errors.ts'
import type { Changes } from '../../state/changes.ts'
import type { Servers } from '../../state/servers/servers.ts'
import type { Logger } from '../../base/logger.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { AddedServers } from '../agent-servers.ts'
import type { AgentFileServers } from './stored-choice.ts'

export interface FollowOptions {
  readonly stored: Servers
  readonly changes: Changes
  readonly servers: AddedServers
  /** The choice of the agent file as it is now, and the names that the file has taken. */
  readonly agentFileServers: () => AgentFileServers
  readonly stateDir: string
  readonly env: Environment
  readonly logger: Logger
  readonly redactor: Redactor
}

/**
 * Starts and ends the stored servers of an agent as they change, whichever process changes them. Most people have none: no code is loaded
 * then, and one number is read each second.
 */
export function followStoredServers(options: FollowOptions): Disposable & { refresh(): void } {
  const { stored, changes, logger } = options
  let sync: ((isOver: () => boolean) => Promise<void>) | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let isOver = false

  if (hasAny()) options.servers.announce(follow())
  const stop = changes.watch('servers', () => void follow())

  /** Runs do not overlap. A change in the meantime leads to another run. */
  function follow(): Promise<void> {
    isStale = true
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  async function run(): Promise<void> {
    while (isStale && !isOver) {
      isStale = false
      try {
        sync ??= (await import('./sync-stored-servers.ts')).createServerSync(options)
        await sync(() => isOver)
      } catch (error) {
        logger.warn('the stored servers cannot be used', { error: messageOf(error) })
      }
    }
  }

  function hasAny(): boolean {
    try {
      return stored.hasAny()
    } catch (error) {
      logger.warn('the stored servers cannot be read', { error: messageOf(error) })
      return false
    }
  }

  return {
    /** Call it when `agentFileServers` returns something else. */
    refresh: () => void follow(),
    // A lookup that is still running (a keyring may take its time) sees `isOver` and starts nothing.
    [Symbol.dispose]() {
      isOver = true
      stop()
    },
  }
}
