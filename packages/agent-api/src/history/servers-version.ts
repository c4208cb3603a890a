import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Journal } from './journal.ts'
import type { Statements } from './statements.ts'

/** Apart from the rest of what is known of stored servers: every start of an agent asks this, and most have none. */

interface ServersVersion {
  /** Another number after every change. */
  readonly version: number
  readonly count: number
}

export function readServersVersion(statements: Statements): ServersVersion {
  const row = statements.get('SELECT version, (SELECT count(*) FROM servers) AS count FROM servers_version')
  return { version: Number(row?.['version'] ?? 0), count: Number(row?.['count'] ?? 0) }
}

const lookEveryMs = 1_000

/**
 * Calls the listener after servers were added, changed or removed, by this process or another. Returns the way to stop it. While nobody
 * else writes to the database a look is one number out of shared memory. The journal may be undefined while no state is kept yet.
 */
export function watchServers(journalNow: () => Journal | undefined, listener: () => void, logger: Logger): () => void {
  let seen = look()
  const timer = setInterval(() => {
    const now = look(seen)
    // What could not be looked at before may have changed.
    const isNew = now !== undefined && now.servers !== seen?.servers
    seen = now ?? seen
    if (isNew) listener()
  }, lookEveryMs).unref()
  return () => clearInterval(timer)

  function look(before?: { data: string; servers: string }): { data: string; servers: string } | undefined {
    try {
      const journal = journalNow()
      if (journal === undefined) return { data: '', servers: '' }
      return journal.read((statements) => {
        // Counts what other connections have written; the number is another one for another database.
        const data = `${journal.generation} ${String(statements.get('PRAGMA data_version')?.['data_version'])}`
        if (data === before?.data) return before
        return { data, servers: `${journal.generation} ${readServersVersion(statements).version}` }
      })
    } catch (error) {
      logger.debug('the stored servers cannot be looked at', { error: messageOf(error) })
      return before
    }
  }
}
