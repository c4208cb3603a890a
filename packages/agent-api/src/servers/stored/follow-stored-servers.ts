import type { Environment } from '../../config/environment-overrides.ts'
import { messageOf } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { readServersVersion, watchServers } from '../../history/servers-version.ts'
import type { Logger } from '../../base/logger.ts'
import type { Redactor } from '../../redaction/redact.ts'
import type { AddedServers } from '../added-servers.ts'

export interface FollowOptions {
  readonly history: History
  readonly servers: AddedServers
  /** Which stored servers the agent uses, by name. */
  readonly isWanted: (name: string) => boolean
  /** Names that the agent file has taken. */
  readonly fileServers: readonly string[]
  readonly stateDir: string
  readonly env: Environment
  readonly logger: Logger
  readonly redactor: Redactor
}

export interface StoredServersFollower extends Disposable {
  /** `isWanted` has another answer now. */
  refresh(): void
}

/**
 * Keeps an agent's further servers as they are stored, whichever process changes them. Most people have none: then nothing is loaded for
 * it, and what stays is a look at one number a second.
 */
export function followStoredServers(options: FollowOptions): StoredServersFollower {
  const { history, servers, logger } = options
  let sync: ((isOver: () => boolean) => Promise<void>) | undefined
  let running: Promise<void> | undefined
  let isStale = false
  let isOver = false

  if (hasAny()) servers.announce(follow())
  const stop = watchServers(
    () => history.journal,
    () => void follow(),
    logger,
  )

  /** One after the other; what changes in the meantime is looked at afterwards. */
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
      return history.journal.read(readServersVersion).count > 0
    } catch (error) {
      logger.warn('the stored servers cannot be read', { error: messageOf(error) })
      return false
    }
  }

  return {
    refresh: () => void follow(),
    // What is still being looked up (a keyring may take its time) finds that it is over.
    [Symbol.dispose]() {
      isOver = true
      stop()
    },
  }
}
