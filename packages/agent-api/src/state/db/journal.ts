import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { Timing } from '../../base/timing.ts'
import { createBacklog, type Write } from './backlog.ts'
import { openDatabasePlace, type DatabasePlaceOptions } from './database-place.ts'
import { isBusy, isMissingParent, isPassing, isSqlite, toReason } from './sqlite-error.ts'
import type { Statements } from './statements.ts'

/**
 * Reads and writes the database. A `write` never fails, and is done at once if possible. While the database is locked or its disk is full,
 * writes wait in the backlog.
 */
export interface Journal extends Disposable {
  /** Grows each time the database was replaced by an empty one. */
  readonly generation: number
  readonly writes: number
  /** Writes are dropped and changes throw. */
  readonly isReadOnly: boolean
  /** `bytes`: about the size of the write in memory. */
  write(write: Write, bytes?: number): void
  flushed(): Promise<void>
  /** Throws `history.unreadable`. */
  read<T>(query: (statements: Statements) => T): T
  /** For a caller that needs the outcome. Waits for other processes. Rejects with `history.unwritable`. */
  change<T>(work: (statements: Statements) => T): Promise<T>
  /** For a change that can be made another time: returns undefined if it cannot be made now. */
  tryChange<T>(work: (statements: Statements) => T): T | undefined
}

export interface JournalOptions extends DatabasePlaceOptions {
  readonly timing: Pick<Timing, 'databasePlaceCheckMs' | 'databaseWaitMs' | 'databaseFinishMs'>
  readonly logger: Logger
}

const retryMs = 50

export function openJournal({ open, replace, timing, logger }: JournalOptions): Journal {
  const { databaseWaitMs } = timing
  const place = openDatabasePlace({ open, replace, timing })
  const backlog = createBacklog({ attempt, timing, logger })
  let writes = 0
  let busySince: number | undefined
  let isClosed = false

  return {
    get generation() {
      return place.generation
    },
    get writes() {
      return writes
    },
    get isReadOnly() {
      return place.isReadOnly
    },
    write(write, bytes = 0) {
      if (isClosed || place.isReadOnly) return
      if (backlog.isEmpty && attempt(write)) return
      backlog.add(write, bytes)
    },
    flushed: backlog.flushed,
    read(query) {
      try {
        return place.run(query)
      } catch (error) {
        throw explained('history.unreadable', 'read', error)
      }
    },
    async change(work) {
      const until = performance.now() + databaseWaitMs
      for (;;) {
        try {
          return runAndCount(work)
        } catch (error) {
          if (!isBusy(error) || isClosed || performance.now() > until)
            throw explained('history.unwritable', 'written', error)
        }
        await delay(retryMs)
      }
    },
    tryChange(work) {
      // Writes that wait come first.
      if (isClosed || !backlog.isEmpty) return undefined
      try {
        return runAndCount(work)
      } catch (error) {
        logger.debug('the history could not be changed now', { error: messageOf(error) })
        return undefined
      }
    },
    [Symbol.dispose]() {
      if (isClosed) return
      if (!backlog.isEmpty) place.waitAtMost(timing.databaseFinishMs)
      backlog.finish()
      isClosed = true
      place.close()
    },
  }

  function attempt(write: Write): boolean {
    try {
      runAndCount(write)
      busySince = undefined
      return true
    } catch (error) {
      if (isMissingParent(error)) {
        logger.debug('a row of the history belongs to something that was deleted', {
          error: messageOf(error),
        })
        return true
      }
      if (!isPassing(error)) {
        logger.warn('a row of the history could not be written', { error: messageOf(error) })
        return true
      }
      busySince ??= performance.now()
      if (!isBusy(error) || performance.now() - busySince > databaseWaitMs)
        backlog.noteOutage(toReason(error))
      return false
    }
  }

  function runAndCount<T>(work: (statements: Statements) => T): T {
    const value = place.run(work)
    writes++
    return value
  }
}

function explained(code: 'history.unreadable' | 'history.unwritable', verb: string, error: unknown): unknown {
  if (!isSqlite(error)) return error
  return new OstlerError(code, `The history cannot be ${verb} now: ${toReason(error)}.`, { cause: error })
}
