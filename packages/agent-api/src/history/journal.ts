import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { busyTimeoutMs } from './database.ts'
import { isBusy, isConstraint, isCorrupt, isPassing } from './sqlite-error.ts'
import { createStatements, type Statements } from './statements.ts'

/** What is to be written: called with an open database, and perhaps more than once. */
export type Write = (statements: Statements) => void

/**
 * Takes what is to be written and never fails. A write is done at once where that is possible; while the database is locked or its disk is
 * full, writes are kept in order and tried again, and what no longer fits in memory is lost and counted.
 */
export interface Journal extends Disposable {
  /** Another number after the database had to be replaced by an empty one. */
  readonly generation: number
  /** `bytes` is roughly what it holds in memory. */
  write(write: Write, bytes?: number): void
  /** Settles when all is written, or when that takes too long to keep anyone waiting. */
  flushed(): Promise<void>
  /** Throws when the database cannot be read. */
  read<T>(query: (statements: Statements) => T): T
  /** A write whose outcome its caller needs to know, patient with other processes. Throws. */
  change<T>(work: (statements: Statements) => T): T
}

export interface JournalOptions {
  readonly database: DatabaseSync
  /** Called when the file turns out to be corrupt: puts it aside and opens a fresh one. Never throws. */
  readonly replace: () => DatabaseSync
  readonly logger: Logger
}

/** How long one attempt may hold up everything else in this process. */
const attemptMsMax = 100
const retryMs = { first: 50, max: 2_000 } as const
const keptBytesMax = 32 * 1024 * 1024
const writeBytesMin = 256

export function openJournal({ database, replace, logger }: JournalOptions): Journal {
  let statements = open(database)
  let generation = 0
  const kept: { readonly write: Write; readonly bytes: number }[] = []
  let keptBytes = 0
  let lost = 0
  let retrying: NodeJS.Timeout | undefined
  let emptied = Promise.withResolvers<void>()
  let isOutage = false
  let isClosed = false

  const journal: Journal = {
    get generation() {
      return generation
    },
    write(write, bytes = 0) {
      if (isClosed) return
      if (kept.length === 0 && attempt(write)) return
      const size = bytes + writeBytesMin
      if (keptBytes + size > keptBytesMax) {
        lost++
        return
      }
      kept.push({ write, bytes: size })
      keptBytes += size
      retryIn(retryMs.first)
    },
    async flushed() {
      // Once an outage is known nobody waits for its end.
      if (kept.length === 0 || isOutage) return
      const timer = new AbortController()
      const late = delay(busyTimeoutMs, true, { signal: timer.signal }).catch(() => true)
      if ((await Promise.race([emptied.promise, late])) === true) noteOutage('it is in use by another program')
      timer.abort()
    },
    read: (query) => query(statements),
    change(work) {
      const { database: current } = statements
      current.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      try {
        return work(statements)
      } finally {
        if (current.isOpen) current.exec(`PRAGMA busy_timeout = ${attemptMsMax}`)
      }
    },
    [Symbol.dispose]() {
      if (isClosed) return
      isClosed = true
      clearTimeout(retrying)
      for (const { write } of kept) if (!attempt(write)) break
      statements.database.close()
    },
  }
  return journal

  function open(opened: DatabaseSync): Statements {
    opened.exec(`PRAGMA busy_timeout = ${attemptMsMax}`)
    return createStatements(opened)
  }

  /** False when it is worth another try later. */
  function attempt(write: Write, isRepeated = false): boolean {
    try {
      write(statements)
      return true
    } catch (error) {
      if (isCorrupt(error) && !isRepeated) {
        startAfresh()
        return attempt(write, true)
      }
      if (isConstraint(error)) {
        logger.debug('a row of the history belongs to something that was deleted', { error: messageOf(error) })
        return true
      }
      if (!isPassing(error)) {
        logger.warn('a row of the history could not be written', { error: messageOf(error) })
        return true
      }
      if (!isBusy(error)) noteOutage(messageOf(error))
      return false
    }
  }

  function startAfresh(): void {
    statements.database.close()
    statements = open(replace())
    generation++
  }

  function retryIn(waitMs: number): void {
    if (retrying !== undefined) return
    retrying = setTimeout(() => {
      retrying = undefined
      drain()
      if (kept.length > 0) retryIn(Math.min(waitMs * 2, retryMs.max))
    }, waitMs).unref()
  }

  function drain(): void {
    let done = 0
    for (const { write, bytes } of kept) {
      if (!attempt(write)) break
      done++
      keptBytes -= bytes
    }
    kept.splice(0, done)
    if (kept.length > 0) return
    emptied.resolve()
    emptied = Promise.withResolvers()
    if (isOutage) logger.info(`the history is being written again${lost === 0 ? '' : `; ${lost} rows did not fit in memory and are lost`}`)
    isOutage = false
    lost = 0
  }

  function noteOutage(reason: string): void {
    if (!isOutage) logger.warn('the history cannot be written now; it is kept in memory until it can', { error: reason })
    isOutage = true
  }
}
