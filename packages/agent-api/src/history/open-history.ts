import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OstlerError } from '../errors.ts'
import { silentLogger, type Logger } from '../logger.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { databaseFileName, openDatabase, openMemoryDatabase, type OpenedDatabase } from './database.ts'
import { createHistory, type History, type HistoryParts } from './history.ts'
import { toReason } from './sqlite-error.ts'

export interface HistoryOptions {
  /** Where it is kept; in memory when unset. */
  readonly stateDir?: string
  /** Clears away what is old as long as it is open. Unset for those who only look. */
  readonly clearing?: HistoryParts['clearing']
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/** For an agent. Never throws: where the state cannot be used, history lasts as long as the process, and that is said. */
export function openHistory({ stateDir, clearing, logger = silentLogger, redactor = createRedactor() }: HistoryOptions = {}): History {
  let onlyInMemory: string | undefined
  return createHistory({ opened: open(), replace, onlyInMemory: () => onlyInMemory, clearing, logger, redactor })

  function open(): OpenedDatabase {
    if (stateDir === undefined) {
      onlyInMemory = 'there is no directory for state'
      return openMemoryDatabase()
    }
    try {
      const opened = openDatabase(stateDir)
      sayAside(opened.asideAs)
      return opened
    } catch (error) {
      return doWithout(stateDir, error)
    }
  }

  function replace(old: OpenedDatabase, isDamaged: boolean): OpenedDatabase {
    try {
      if (isDamaged) sayAside(old.setAside())
      else logger.warn('the state was moved or deleted while it was in use: a new one was begun')
      return open()
    } catch (error) {
      return doWithout(stateDir ?? '', error)
    }
  }

  function sayAside(asideAs: string | undefined): void {
    if (asideAs !== undefined) logger.warn(`the state was damaged: it is now in ${asideAs}, and a new one was begun`)
  }

  function doWithout(place: string, error: unknown): OpenedDatabase {
    onlyInMemory = error instanceof OstlerError ? error.message : toReason(error)
    logger.warn(`the state in ${place} cannot be used (${onlyInMemory}); what happens is remembered until Ostler ends`)
    return openMemoryDatabase()
  }
}

/** For a person who looks through it. Looking creates nothing: undefined where no state is kept yet. Throws when it cannot be used. */
export function openStoredHistory(options: HistoryOptions & { readonly stateDir: string }): History | undefined {
  return existsSync(join(options.stateDir, databaseFileName)) ? createStoredHistory(options) : undefined
}

/** For a person who changes something that is kept. Throws when it cannot be. */
export function createStoredHistory(options: HistoryOptions & { readonly stateDir: string }): History {
  const { stateDir, clearing, logger = silentLogger, redactor = createRedactor() } = options
  return createHistory({ opened: open(), replace, onlyInMemory: () => undefined, clearing, logger, redactor })

  function open(): OpenedDatabase {
    const opened = explained(() => openDatabase(stateDir))
    if (opened.asideAs === undefined) return opened
    opened.database.close()
    throw damaged(opened.asideAs)
  }

  /** Whoever looks must not take an empty state for the whole of it. */
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
      throw new OstlerError('history.unusable', `The state in ${stateDir} cannot be used: ${toReason(error)}.`, { cause: error })
    }
  }

  function damaged(asideAs: string): OstlerError {
    return new OstlerError('history.damaged', `The state in ${stateDir} was damaged. It is now in ${asideAs}, and a new one was begun.`)
  }
}
