import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, OstlerError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { attemptMsMax, busyWaitMs, type OpenedDatabase } from './database.ts'
import { isBusy, isCorrupt, isMissingParent, isPassing, isSqlite, toReason } from './sqlite-error.ts'
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
  /** Grows with everything that this process writes. */
  readonly writes: number
  /** What is written goes nowhere, and a change throws. */
  readonly isReadOnly: boolean
  /** `bytes` is roughly what it holds in memory. */
  write(write: Write, bytes?: number): void
  /** Settles when all is written, or when that takes too long to keep anyone waiting. */
  flushed(): Promise<void>
  /** Throws `history.unreadable` when the database cannot be read. */
  read<T>(query: (statements: Statements) => T): T
  /** A write whose outcome its caller needs to know, patient with other processes. Rejects with `history.unwritable`. */
  change<T>(work: (statements: Statements) => T): Promise<T>
  /** A write that can as well be done another time: undefined when it cannot be done now. */
  tryChange<T>(work: (statements: Statements) => T): T | undefined
}

export interface JournalOptions {
  /** Throws while another program uses the database (`isBusy`): then it is called again. Anything else it throws is final. */
  readonly open: () => OpenedDatabase
  /**
   * Called when the file turns out to be damaged, or is no longer there: opens one that is empty, or what another process has begun. What it
   * throws is what everybody gets from then on.
   */
  readonly replace: (old: OpenedDatabase, isDamaged: boolean) => OpenedDatabase
  readonly logger: Logger
}

const retryMs = { first: 50, max: 2_000 } as const
/** How long the end of the process may be held up. */
const finishMsMax = 2_000
/** After an outage the rest of the process has its turn this often. */
const drainMsMax = 20
/** How often an attempt is made to open a database that another program uses. */
const openEveryMs = 100
const keptBytesMax = 32 * 1024 * 1024
const writeBytesMin = 256
const placeCheckMs = 1_000

export function openJournal({ open, replace, logger }: JournalOptions): Journal {
  /** Unset while another program uses the database and it could not be opened yet. */
  let current: OpenedDatabase | undefined
  let statements: Statements | undefined
  let inUse: { readonly error: unknown; readonly seenAt: number } | undefined
  let generation = 0
  let writes = 0
  let kept: { readonly write: Write; readonly bytes: number }[] = []
  let keptBytes = 0
  let lost = 0
  let retrying: NodeJS.Timeout | undefined
  let emptied = Promise.withResolvers<void>()
  let isOutage = false
  let isClosed = false
  /** Why there is none any more. */
  let failure: unknown
  let placeCheckedAt = performance.now()
  let busySince: number | undefined

  try {
    opened()
  } catch (error) {
    if (!isBusy(error)) throw error
  }

  return {
    get generation() {
      return generation
    },
    get writes() {
      return writes
    },
    get isReadOnly() {
      return current?.isReadOnly === true
    },
    write(write, bytes = 0) {
      if (isClosed || current?.isReadOnly === true) return
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
      const late = delay(busyWaitMs, true, { signal: timer.signal }).catch(() => false)
      const isLate = await Promise.race([emptied.promise.then(() => false), late])
      timer.abort()
      if (isLate && kept.length > 0) noteOutage('it is in use by another program')
    },
    read(query) {
      try {
        return inPlace(query)
      } catch (error) {
        throw explained('history.unreadable', 'read', error)
      }
    },
    async change(work) {
      const until = performance.now() + busyWaitMs
      for (;;) {
        try {
          return inPlace((statements) => noted(statements, work))
        } catch (error) {
          if (!isBusy(error) || isClosed || performance.now() > until) throw explained('history.unwritable', 'written', error)
        }
        await delay(retryMs.first)
      }
    },
    tryChange(work) {
      // What waits to be written comes first.
      if (isClosed || kept.length > 0) return undefined
      try {
        return inPlace((statements) => noted(statements, work))
      } catch (error) {
        logger.debug('the history could not be changed now', { error: messageOf(error) })
        return undefined
      }
    },
    [Symbol.dispose]() {
      if (isClosed) return
      clearTimeout(retrying)
      finish()
      isClosed = true
      close()
    },
  }

  /** The last chance of what could not be written so far. */
  function finish(): void {
    if (kept.length === 0) return
    inUse = undefined
    if (current?.database.isOpen === true) current.database.exec(`PRAGMA busy_timeout = ${finishMsMax}`)
    const written = kept.findIndex(({ write }) => !attempt(write))
    const left = lost + (written === -1 ? 0 : kept.length - written)
    if (left > 0) logger.warn('a part of the history could not be written before the end, and is lost', { rows: left })
  }

  /** False when it is worth another try later. */
  function attempt(write: Write): boolean {
    try {
      inPlace((statements) => noted(statements, write))
      busySince = undefined
      return true
    } catch (error) {
      if (isMissingParent(error)) {
        logger.debug('a row of the history belongs to something that was deleted', { error: messageOf(error) })
        return true
      }
      if (!isPassing(error)) {
        logger.warn('a row of the history could not be written', { error: messageOf(error) })
        return true
      }
      busySince ??= performance.now()
      if (!isBusy(error) || performance.now() - busySince > busyWaitMs) noteOutage(toReason(error))
      return false
    }
  }

  function noted<T>(statements: Statements, work: (statements: Statements) => T): T {
    const value = work(statements)
    writes++
    return value
  }

  /** In the file that is where it should be, and once more in another one when it turns out to be damaged. */
  function inPlace<T>(work: (statements: Statements) => T): T {
    if (performance.now() - placeCheckedAt > placeCheckMs) {
      placeCheckedAt = performance.now()
      if (current?.isInPlace() === false) startAfresh(current, false)
    }
    try {
      return work(opened())
    } catch (error) {
      if (!isCorrupt(error) || current === undefined) throw error
      startAfresh(current, true)
      return work(opened())
    }
  }

  function opened(): Statements {
    if (failure !== undefined) throw failure
    if (statements !== undefined) return statements
    if (isClosed) throw new OstlerError('history.closed', 'The history is closed.')
    if (inUse !== undefined && performance.now() - inUse.seenAt < openEveryMs) throw inUse.error
    return begin(open)
  }

  function startAfresh(old: OpenedDatabase, isDamaged: boolean): void {
    close()
    generation++
    begin(() => replace(old, isDamaged))
  }

  function begin(openNow: () => OpenedDatabase): Statements {
    ;[current, statements, inUse] = [undefined, undefined, undefined]
    try {
      current = openNow()
      statements = prepare(current)
      return statements
    } catch (error) {
      if (isBusy(error)) inUse = { error, seenAt: performance.now() }
      else failure = error
      throw error
    }
  }

  function prepare({ database }: OpenedDatabase): Statements {
    database.exec(`PRAGMA busy_timeout = ${attemptMsMax}`)
    return createStatements(database)
  }

  function close(): void {
    if (current?.database.isOpen === true) current.database.close()
  }

  function retryIn(waitMs: number): void {
    if (retrying !== undefined || isClosed) return
    retrying = setTimeout(() => {
      retrying = undefined
      const isBlocked = !drain()
      if (kept.length > 0) retryIn(isBlocked ? Math.min(Math.max(waitMs * 2, retryMs.first), retryMs.max) : 0)
    }, waitMs).unref()
  }

  /** False when the database still cannot be written. */
  function drain(): boolean {
    const until = performance.now() + drainMsMax
    let done = 0
    let isWritten = true
    for (const { write, bytes } of kept) {
      isWritten = attempt(write)
      if (!isWritten) break
      done++
      keptBytes -= bytes
      if (performance.now() > until) break
    }
    kept = kept.slice(done)
    if (kept.length === 0) endOutage()
    return isWritten
  }

  function endOutage(): void {
    emptied.resolve()
    emptied = Promise.withResolvers()
    const loss = lost === 0 ? '' : `; ${lost} rows did not fit in memory and are lost`
    if (isOutage || lost > 0) logger.info(`the history is being written again${loss}`)
    isOutage = false
    lost = 0
  }

  function noteOutage(reason: string): void {
    if (!isOutage) logger.warn(`the history cannot be written now: ${reason}; it is kept in memory until it can`)
    isOutage = true
  }
}

/** What somebody waits for: the reason is for a person. */
function explained(code: 'history.unreadable' | 'history.unwritable', verb: string, error: unknown): unknown {
  if (!isSqlite(error)) return error
  return new OstlerError(code, `The history cannot be ${verb} now: ${toReason(error)}.`, { cause: error })
}
