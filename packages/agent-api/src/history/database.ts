import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { migrate } from './migrations.ts'
import { isCorrupt } from './sqlite-error.ts'
import { setAside } from './set-aside.ts'

/** How long a statement waits for another process to finish its own. */
export const busyTimeoutMs = 5_000

export const databaseFileName = 'ostler.db'

export interface OpenedDatabase {
  readonly database: DatabaseSync
  /** Where a file that was no database any more now is. */
  readonly asideAs?: string
}

/** Opens the one database of a state directory, which is this user's alone. Throws when it cannot be used. */
export function openDatabase(stateDir: string): OpenedDatabase {
  makeDirectory(stateDir)
  const path = join(stateDir, databaseFileName)
  try {
    return { database: openFile(path) }
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const asideAs = setAside(path, () => openFile(path).close())
    return { database: openFile(path), asideAs }
  }
}

/** For those who have no place to keep anything, and for when that place cannot be used. */
export function openMemoryDatabase(): DatabaseSync {
  return open(':memory:')
}

function openFile(path: string): DatabaseSync {
  return open(path, () => chmodSync(path, 0o600))
}

function open(path: string, onCreated?: () => void): DatabaseSync {
  // Loaded when it is needed, and not at the start of every process.
  const { DatabaseSync: Database } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    onCreated?.()
    // The first only counts for a file that is new: what is deleted can then be given back to the disk bit by bit.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Not `recursive`: where nothing can be created (under /proc, say) Node's own way of doing that never ends. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  mkdirSync(directory, { mode: 0o700 })
}
