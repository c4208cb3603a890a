import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { makeDirectory } from '../base/make-directory.ts'
import { databaseConstructor } from './database-constructor.ts'
import { identityOf, requireFile } from './file-identity.ts'
import { checkedVersion, migrate } from './migrations.ts'
import { setAside } from './set-aside.ts'
import { isBusy, isCorrupt } from './sqlite-error.ts'

/** How long a person, or what a person waits for, is kept waiting while another program uses the database. */
export const busyWaitMs = 5_000

/** How long one statement waits for another program. SQLite sleeps meanwhile, and everything else in this process with it. */
export const attemptMsMax = 10

/** From then on a person is told what is waited for. */
const sayWaitAfterMs = 1_000

const retryMs = 20

export const databaseFileName = 'ostler.db'

/** Beyond it the log of what is not in the database yet gives its space back. */
const logBytesMax = 16 * 1024 * 1024

export interface OpenedDatabase {
  readonly database: DatabaseSync
  /** Where a file that was no database any more now is. */
  readonly asideAs?: string | undefined
  /** Nothing can be written to it, and nothing is. */
  readonly isReadOnly?: boolean
  /** False when the path leads to another file by now, or to none: whatever is written goes nowhere. */
  isInPlace(): boolean
  /** To be called when it turned out to be damaged: renames it, unless somebody else has done so, and says to what. */
  setAside(): string | undefined
}

/** Opens the one database of a state directory, which is this user's alone. Throws when it cannot be used, or is in use (`isBusy`). */
export function openDatabase(stateDir: string): OpenedDatabase {
  makeDirectory(stateDir)
  const path = join(stateDir, databaseFileName)
  const identity = createFile(path)
  try {
    return openFile(path, identity)
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const asideAs = setAside(path, identity)
    return { ...openFile(path, createFile(path)), asideAs }
  }
}

/** For a command, which has nothing else to do: waits for other programs that use it, and calls back once when that takes long. */
export function openDatabasePatiently(stateDir: string, onLongWait: () => void): OpenedDatabase {
  const start = performance.now()
  let isSaid = false
  for (;;) {
    try {
      return openDatabase(stateDir)
    } catch (error) {
      const waitedMs = performance.now() - start
      if (!isBusy(error) || waitedMs > busyWaitMs) throw error
      if (!isSaid && waitedMs > sayWaitAfterMs) onLongWait()
      isSaid ||= waitedMs > sayWaitAfterMs
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}

/**
 * For looking only, where nothing may be written: a disk that is mounted so, or one that is full. What an older Ostler has made stays as it
 * is, so a table may be missing. Throws when it cannot be read. `isBrief` is for who closes it at once.
 */
export function openReadOnlyDatabase(stateDir: string, { isBrief = false } = {}): OpenedDatabase {
  const path = join(stateDir, databaseFileName)
  requireFiles(path)
  const identity = identityOf(path) ?? ''
  // Even to look, SQLite wants to create files beside it, unless nobody can change it meanwhile. What stands in the log it would not see then.
  const isStill = logBytes(path) === 0 && (isBrief || !isWritable(stateDir))
  const place = isStill ? `${pathToFileURL(path).href}?immutable=1` : path
  const database = new (databaseConstructor())(place, { readOnly: true, timeout: attemptMsMax })
  try {
    checkedVersion(database)
  } catch (error) {
    database.close()
    throw error
  }
  return { database, isInPlace: () => identityOf(path) === identity, setAside: () => undefined }
}

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** For those who have no place to keep anything, and for when that place cannot be used. */
export function openMemoryDatabase(): OpenedDatabase {
  return { database: open(':memory:'), isInPlace: () => true, setAside: () => undefined }
}

function openFile(path: string, identity: string): OpenedDatabase {
  return { database: open(path), isInPlace: () => identityOf(path) === identity, setAside: () => setAside(path, identity) }
}

function open(path: string): DatabaseSync {
  const database = new (databaseConstructor())(path, { timeout: attemptMsMax })
  try {
    // The first only counts for a file that is new: what is deleted can then be given back to the disk bit by bit.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    database.exec(`PRAGMA journal_size_limit = ${logBytesMax}`)
    migrate(database)
    enableGivingBack(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The setting of a file that an older Ostler has made takes effect when the file is written anew. There were only a few grants in it. */
function enableGivingBack(database: DatabaseSync): void {
  if (database.prepare('PRAGMA auto_vacuum').get()?.['auto_vacuum'] !== 0) return
  try {
    database.exec('VACUUM')
  } catch {
    // Somebody else has it open: at the next start, then. Until that it only does not shrink.
  }
}

/**
 * Nobody else may read it, whatever the process's mask says and whoever made it. SQLite gives its other files the mode of this one. One that
 * is there is not opened: closing it would take away the locks of all who have it open in this process. Says which file it is.
 */
function createFile(path: string): string {
  requireFiles(path)
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if (!existsSync(path)) throw error
    }
  }
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) makePrivate(path + suffix)
  return identityOf(path) ?? ''
}

/** SQLite would wait for ever at a pipe. */
function requireFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) requireFile(path + suffix)
}

function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    // SQLite removes its other files whenever the last process closes the database.
    if (existsSync(path)) throw error
  }
}
