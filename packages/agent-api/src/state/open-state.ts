import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { messageOf, OstlerError } from '../base/errors.ts'
import { silentLogger, type Logger } from '../base/logger.ts'
import { toTiming, type Timing } from '../base/timing.ts'
import { strikeWith } from '../redaction/redact-value.ts'
import { createRedactor, type Redactor } from '../redaction/redact.ts'
import {
  databaseFileName,
  openDatabase,
  openDatabasePatiently,
  openMemoryDatabase,
  openReadOnlyDatabase,
  type OpenedDatabase,
} from './db/database.ts'
import { createState, type State, type StateParts } from './state.ts'
import { isBusy, isUnwritable, toReason } from './db/sqlite-error.ts'

export interface StateOptions {
  /** In memory if undefined. */
  readonly stateDir?: string
  /** Deletes old data while the state is open. Undefined for readers. */
  readonly clearing?: StateParts['clearing']
  readonly timing?: Partial<Timing> | undefined
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/**
 * Opens the state of an agent. Never throws: if the state is unusable, it lasts as long as the process, and a warning says so.
 * Stored servers and grants are still used if they can be read. If another program uses the database, nothing waits: writes are queued
 * until it can be opened.
 */
export function openState(options: StateOptions = {}): State {
  const { stateDir, logger = silentLogger } = options
  let onlyInMemory: string | undefined
  let warning: string | undefined
  return createFrom(options, { open, replace, onlyInMemory: () => onlyInMemory, warning: () => warning })

  function open(): OpenedDatabase {
    if (stateDir === undefined) {
      onlyInMemory = 'there is no state directory'
      return openMemoryDatabase()
    }
    try {
      const opened = openDatabase(stateDir)
      warnOfSetAside(opened.asideAs)
      return opened
    } catch (error) {
      if (isBusy(error)) throw error
      return fallBackToMemory(stateDir, error)
    }
  }

  function replace(old: OpenedDatabase, isDamaged: boolean): OpenedDatabase {
    try {
      if (isDamaged) warnOfSetAside(old.setAside())
      else logger.warn('the history was moved or deleted while in use; a new one was created')
      return open()
    } catch (error) {
      if (isBusy(error)) throw error
      return fallBackToMemory(stateDir ?? '', error)
    }
  }

  function warnOfSetAside(asideAs: string | undefined): void {
    if (asideAs !== undefined)
      logger.warn(`the history was damaged. It is now in ${asideAs}, and a new one was created`)
  }

  function fallBackToMemory(place: string, error: unknown): OpenedDatabase {
    onlyInMemory = error instanceof OstlerError ? error.message : toReason(error)
    logger.warn(
      `the state directory ${place} cannot be used (${onlyInMemory}); the history is kept in memory until Ostler ends`,
    )
    const memory = openMemoryDatabase()
    const why = `the state directory ${place} cannot be used: ${onlyInMemory.replace(/\.$/, '')}.`
    try {
      copyStored(place, memory.database)
      warning = `This session will not be saved: ${why}`
    } catch (cause) {
      logger.debug('stored servers and grants could not be read', { error: messageOf(cause) })
      warning = `This session will not be saved, and stored servers could not be read: ${why}`
    }
    return memory
  }
}

function createFrom(
  { stateDir, clearing, logger = silentLogger, redactor = createRedactor(), timing }: StateOptions,
  place: Pick<StateParts, 'open' | 'replace' | 'onlyInMemory' | 'warning'>,
): State {
  const strike = strikeWith(redactor)
  return createState({ ...place, stateDir, clearing, logger, timing: toTiming(timing), strike })
}

/** Opens the state for a person who reads it. Creates nothing: undefined if there is no state. Throws if it is unusable. */
export function openStoredState(options: StateOptions & { readonly stateDir: string }): State | undefined {
  return hasState(options.stateDir) ? createAt(openForReading, options) : undefined
}

function openForReading(stateDir: string, timing: Timing, onLongWait: () => void): OpenedDatabase {
  try {
    return openDatabasePatiently(stateDir, timing, onLongWait)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    try {
      return { ...openReadOnlyDatabase(stateDir), isReadOnly: true }
    } catch (other) {
      throw other instanceof OstlerError ? other : error
    }
  }
}

/** A missing path is an empty state. A path that cannot be resolved is an error. */
function hasState(stateDir: string): boolean {
  try {
    statSync(join(stateDir, databaseFileName))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw unusable(stateDir, error)
  }
}

/** Opens the state for a person who changes it. Throws if it cannot be written. */
export function createStoredState(options: StateOptions & { readonly stateDir: string }): State {
  return createAt(openDatabasePatiently, options)
}

function createAt(
  openPlace: typeof openForReading,
  options: StateOptions & { readonly stateDir: string },
): State {
  const { stateDir, logger = silentLogger } = options
  const timing = toTiming(options.timing)
  return createFrom(options, { open, replace, onlyInMemory: () => undefined })

  function open(): OpenedDatabase {
    const opened = explained(() => openPlace(stateDir, timing, onLongWait))
    if (opened.asideAs === undefined) return opened
    opened.database.close()
    throw damaged(opened.asideAs)
  }

  function onLongWait(): void {
    logger.warn(`the state directory ${stateDir} is in use by another program; waiting for it`)
  }

  /** A reader must not mistake a new, empty state for the complete history. */
  function replace(old: OpenedDatabase, isDamaged: boolean): OpenedDatabase {
    const asideAs = isDamaged ? explained(() => old.setAside()) : undefined
    const opened = open()
    if (asideAs === undefined) return opened
    opened.database.close()
    throw damaged(asideAs)
  }

  function explained<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof OstlerError) throw error
      throw unusable(stateDir, error)
    }
  }

  function damaged(asideAs: string): OstlerError {
    return new OstlerError(
      'history.damaged',
      `The history in ${stateDir} was damaged. It is now in ${asideAs}, and a new one was created.`,
    )
  }
}

function unusable(stateDir: string, error: unknown): OstlerError {
  return new OstlerError(
    'history.unusable',
    `The state directory ${stateDir} cannot be used: ${toReason(error)}.`,
    { cause: error },
  )
}

const tables = ['servers', 'grants']

/**
 * Copies servers and grants from an unwritable state into an empty database, for an agent that continues in memory. Does
 * nothing without a state. Throws if it cannot be read.
 */
function copyStored(stateDir: string, to: DatabaseSync): void {
  if (statSync(join(stateDir, databaseFileName), { throwIfNoEntry: false }) === undefined) return
  const { database: from } = openReadOnlyDatabase(stateDir, { isBrief: true })
  try {
    to.exec('BEGIN')
    for (const table of tables) copyTable(table, from, to)
    to.exec('COMMIT')
  } catch (error) {
    to.exec('ROLLBACK')
    throw error
  } finally {
    from.close()
  }
}

function copyTable(table: string, from: DatabaseSync, to: DatabaseSync): void {
  if (from.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) === undefined)
    return
  for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    to.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...Object.values(row))
  }
}
