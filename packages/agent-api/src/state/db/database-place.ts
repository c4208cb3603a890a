import { OstlerError } from '../../base/errors.ts'
import type { Timing } from '../../base/timing.ts'
import { attemptMsMax, type OpenedDatabase } from './database.ts'
import { isBusy, isCorrupt } from './sqlite-error.ts'
import { createStatements, type Statements } from './statements.ts'

export interface DatabasePlaceOptions {
  readonly timing: Pick<Timing, 'databasePlaceCheckMs'>
  readonly open: () => OpenedDatabase
  /** The new one is empty, or another process has begun it. */
  readonly replace: (old: OpenedDatabase, isDamaged: boolean) => OpenedDatabase
}

type State =
  | { readonly type: 'open'; readonly opened: OpenedDatabase; readonly statements: Statements }
  | { readonly type: 'in-use'; readonly error: unknown; readonly seenAt: number }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'closed' }

const openEveryMs = 100

/** Never goes back. `performance` would first have to be loaded. */
const now = () => process.uptime() * 1_000

/** The database of a state. It is opened as soon as possible, and replaced if it is corrupt or missing. */
export function openDatabasePlace({ open, replace, timing }: DatabasePlaceOptions) {
  let state = begin(open)
  let generation = 0
  let checkedAt = now()
  if (state.type === 'failed') throw state.error

  return {
    get generation(): number {
      return generation
    },
    get isReadOnly(): boolean {
      return state.type === 'open' && state.opened.isReadOnly === true
    },
    /** Runs the work again if the database is corrupt. */
    run<T>(work: (statements: Statements) => T): T {
      checkPlace()
      try {
        return work(statementsNow())
      } catch (error) {
        if (!isCorrupt(error) || state.type !== 'open') throw error
        startAfresh(state.opened, true)
        return work(statementsNow())
      }
    },
    /** Sets how long one statement may wait for other programs, and allows an attempt to open the database now. */
    waitAtMost(ms: number): void {
      if (state.type === 'open') state.opened.database.exec(`PRAGMA busy_timeout = ${ms}`)
      if (state.type === 'in-use') state = { ...state, seenAt: Number.NEGATIVE_INFINITY }
    },
    close(): void {
      if (state.type === 'open') state.opened.database.close()
      state = { type: 'closed' }
    },
  }

  function statementsNow(): Statements {
    if (state.type === 'in-use' && now() - state.seenAt >= openEveryMs) state = begin(open)
    switch (state.type) {
      case 'open':
        return state.statements
      case 'in-use':
      case 'failed':
        throw state.error
      case 'closed':
        throw new OstlerError('history.closed', 'The history is closed.')
    }
  }

  function checkPlace(): void {
    if (state.type !== 'open' || now() - checkedAt <= timing.databasePlaceCheckMs) return
    checkedAt = now()
    if (!state.opened.isInPlace()) startAfresh(state.opened, false)
  }

  function startAfresh(old: OpenedDatabase, isDamaged: boolean): void {
    if (old.database.isOpen) old.database.close()
    generation++
    state = begin(() => replace(old, isDamaged))
  }
}

function begin(open: () => OpenedDatabase): State {
  let opened: OpenedDatabase | undefined
  try {
    opened = open()
    opened.database.exec(`PRAGMA busy_timeout = ${attemptMsMax}`)
    return { type: 'open', opened, statements: createStatements(opened.database) }
  } catch (error) {
    if (opened?.database.isOpen === true) opened.database.close()
    return isBusy(error) ? { type: 'in-use', error, seenAt: now() } : { type: 'failed', error }
  }
}
