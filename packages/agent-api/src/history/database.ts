import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { migrate } from './migrations.ts'

/** How long a statement waits for another process to finish its own. */
const busyTimeoutMs = 5_000

/** Opens the one database of a state directory, which is this user's alone. Throws when it cannot be used. */
export function openDatabase(stateDir: string): DatabaseSync {
  makeDirectory(stateDir)
  const path = join(stateDir, 'ostler.db')
  // Loaded when it is needed, and not at the start of every process.
  const { DatabaseSync: Database } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    chmodSync(path, 0o600)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
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
