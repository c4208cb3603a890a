import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { messageOf, OstlerError } from '../errors.ts'
import { silentLogger, type Logger } from '../logger.ts'
import { createRedactor, type Redactor } from '../secrets/redact.ts'
import { databaseFileName, openDatabase, openMemoryDatabase } from './database.ts'
import { createHistory, type History } from './history.ts'

export interface HistoryOptions {
  /** Where it is kept; in memory when unset. */
  readonly stateDir?: string
  readonly logger?: Logger
  readonly redactor?: Redactor
}

/** For an agent. Never throws: where the state cannot be used, history lasts as long as the process, and that is said. */
export function openHistory({ stateDir, logger = silentLogger, redactor = createRedactor() }: HistoryOptions = {}): History {
  let onlyInMemory: string | undefined
  return createHistory({ open, onlyInMemory: () => onlyInMemory, logger, redactor })

  function open(): DatabaseSync {
    if (stateDir === undefined) {
      onlyInMemory = 'there is no directory for state'
      return openMemoryDatabase()
    }
    try {
      return openFile(stateDir, logger)
    } catch (error) {
      onlyInMemory = messageOf(error)
      logger.warn(`the state in ${stateDir} cannot be used; what happens is remembered until Ostler ends`, { error: onlyInMemory })
      return openMemoryDatabase()
    }
  }
}

/** For a person who looks through it. Looking creates nothing: undefined where no state is kept yet. Throws when it cannot be used. */
export function openStoredHistory(options: HistoryOptions & { readonly stateDir: string }): History | undefined {
  return existsSync(join(options.stateDir, databaseFileName)) ? createStoredHistory(options) : undefined
}

/** For a person who changes something that is kept. Throws when it cannot be. */
export function createStoredHistory(options: HistoryOptions & { readonly stateDir: string }): History {
  const { stateDir, logger = silentLogger, redactor = createRedactor() } = options
  return createHistory({ open, onlyInMemory: () => undefined, logger, redactor })

  function open(): DatabaseSync {
    try {
      return openFile(stateDir, logger)
    } catch (error) {
      if (error instanceof OstlerError) throw error
      throw new OstlerError('history.unusable', `The state in ${stateDir} cannot be used: ${messageOf(error)}`, { cause: error })
    }
  }
}

function openFile(stateDir: string, logger: Logger): DatabaseSync {
  const { database, asideAs } = openDatabase(stateDir)
  if (asideAs !== undefined) logger.warn(`the state was damaged: it is now in ${asideAs}, and a new one was begun`)
  return database
}
