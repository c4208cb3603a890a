import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Timing } from '../base/timing.ts'
import type { Journal } from './journal.ts'
import type { Statements } from './statements.ts'

/** Separate from the other queries on stored servers: every start of an agent reads this, and most have no stored servers. */

interface ServersVersion {
  /** Changes with every change of the stored servers. */
  readonly version: number
  readonly count: number
}

export function readServersVersion(statements: Statements): ServersVersion {
  const row = statements.get('SELECT version, (SELECT count(*) FROM servers) AS count FROM servers_version')
  return { version: Number(row?.['version'] ?? 0), count: Number(row?.['count'] ?? 0) }
}

export interface WatchServersOptions {
  /** May return undefined while there is no state. */
  readonly journalNow: () => Journal | undefined
  readonly listener: () => void
  readonly timing: Pick<Timing, 'storedServersCheckMs'>
  readonly logger: Logger
}

/**
 * Calls the listener after stored servers changed, in this process or another. Returns a function that stops it. Without writes by others,
 * a check reads one number from shared memory.
 */
export function watchServers({ journalNow, listener, timing, logger }: WatchServersOptions): () => void {
  let seen = readVersions()
  const timer = setInterval(() => {
    const now = readVersions(seen)
    // If an earlier check failed, the servers may have changed since.
    const isNew = now !== undefined && now.servers !== seen?.servers
    seen = now ?? seen
    if (isNew) listener()
  }, timing.storedServersCheckMs).unref()
  return () => clearInterval(timer)

  function readVersions(before?: { data: string; servers: string }): { data: string; servers: string } | undefined {
    try {
      const journal = journalNow()
      if (journal === undefined) return { data: '', servers: '' }
      return journal.read((statements) => {
        // Counts writes of other connections. Differs between databases.
        const data = `${journal.generation} ${String(statements.get('PRAGMA data_version')?.['data_version'])}`
        if (data === before?.data) return before
        return { data, servers: `${journal.generation} ${readServersVersion(statements).version}` }
      })
    } catch (error) {
      logger.debug('the stored servers cannot be checked', { error: messageOf(error) })
      return before
    }
  }
}
