import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  statfsSync,
  statSync,
  renameSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createRequire } from 'node:module'
import { makeOwnDirectory, requireOwn } from '../../base/file-owner.ts'
import type { Timing } from '../../base/timing.ts'
import { checkedVersion, migrate } from './migrations.ts'
import { isBusy, isCorrupt } from './sqlite-error.ts'

/** SQLite blocks this process while it waits for another program. */
export const attemptMsMax = 10

const retryMs = 20

export const databaseFileName = 'ostler.db'

const logBytesMax = 16 * 1024 * 1024

export interface OpenedDatabase {
  readonly database: DatabaseSync
  /** The path that a corrupt file was renamed to. */
  readonly asideAs?: string | undefined
  readonly isReadOnly?: boolean
  /** False if the path now leads to another file or to none, so that writes would be lost. */
  isInPlace(): boolean
  /** For a database that turned out to be corrupt. Undefined if another process has done so. */
  setAside(): string | undefined
}

/** Throws if it is unusable or in use (`isBusy`). */
export function openDatabase(stateDir: string): OpenedDatabase {
  makeOwnDirectory(stateDir)
  const path = join(stateDir, databaseFileName)
  const identity = createFile(path)
  try {
    return withAside(path, openFile(path, identity))
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const asideAs = setAside(path, identity)
    if (asideAs !== undefined) renamed.set(path, asideAs)
    return withAside(path, openFile(path, createFile(path)))
  }
}

/** New paths of corrupt files, by old path. The successor may be in use by another program at first; a later attempt then finds out. */
const renamed = new Map<string, string>()

function withAside(path: string, opened: OpenedDatabase): OpenedDatabase {
  const asideAs = renamed.get(path)
  renamed.delete(path)
  return { ...opened, asideAs }
}

type PatientTiming = Pick<Timing, 'databaseWaitMs' | 'databaseTellMs'>

/** For commands: waits for other programs that use the database. Calls back once if that takes long. */
export function openDatabasePatiently(
  stateDir: string,
  timing: PatientTiming,
  onLongWait: () => void,
): OpenedDatabase {
  const start = performance.now()
  let isTold = false
  for (;;) {
    try {
      return openDatabase(stateDir)
    } catch (error) {
      const waitedMs = performance.now() - start
      if (!isBusy(error)) throw error
      if (!isTold && waitedMs > timing.databaseTellMs) onLongWait()
      isTold ||= waitedMs > timing.databaseTellMs
      if (waitedMs > timing.databaseWaitMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }
}

/**
 * Opens the database for reading where nothing can be written, such as a read-only or full disk. Does not migrate, so tables may be
 * missing. Throws if it cannot be read. `isBrief` promises that the caller closes it at once.
 */
export function openReadOnlyDatabase(stateDir: string, { isBrief = false } = {}): OpenedDatabase {
  const path = join(stateDir, databaseFileName)
  requireOwn(stateDir, statSync(stateDir).uid)
  requireFiles(path)
  const identity = identityOf(path) ?? ''
  // SQLite creates files beside the database even for reading, unless it is opened as immutable. An immutable database ignores its
  // write-ahead log.
  const isImmutable = logBytes(path) === 0 && (isBrief || !isWritable(stateDir))
  const place = isImmutable ? `${pathToFileURL(path).href}?immutable=1` : path
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
    return statfsSync(directory).bavail > 0
  } catch {
    return false
  }
}

export function openMemoryDatabase(): OpenedDatabase {
  return { database: open(':memory:'), isInPlace: () => true, setAside: () => undefined }
}

function openFile(path: string, identity: string): OpenedDatabase {
  return {
    database: open(path),
    isInPlace: () => identityOf(path) === identity,
    setAside: () => setAside(path, identity),
  }
}

function open(path: string): DatabaseSync {
  const database = new (databaseConstructor())(path, { timeout: attemptMsMax })
  try {
    // `auto_vacuum` only affects new files. It allows returning free space to the disk step by step.
    database.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON',
    )
    database.exec(`PRAGMA journal_size_limit = ${logBytesMax}`)
    migrate(database)
    enableAutoVacuum(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** In a file from an older version, the setting takes effect after a `VACUUM`. Such a file contains only a few grants. */
function enableAutoVacuum(database: DatabaseSync): void {
  if (database.prepare('PRAGMA auto_vacuum').get()?.['auto_vacuum'] !== 0) return
  try {
    database.exec('VACUUM')
  } catch {
    // Another process has it open. Until the next start, the file just does not shrink.
  }
}

/**
 * Creates the file, readable by this user only, regardless of the umask and of who created it. SQLite gives its other files the same mode.
 * An existing file is not opened: closing it would release all locks that this process holds on it. Returns the file's identity.
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

/** SQLite would block forever on a pipe. */
function requireFiles(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) requireFile(path + suffix)
}

function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    // SQLite removes its other files when the last process closes the database.
    if (existsSync(path)) throw error
  }
}

/** Loads SQLite on demand instead of at process start. */
function databaseConstructor(): typeof import('node:sqlite').DatabaseSync {
  return (createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')).DatabaseSync
}

/** Identifies the file that a path leads to. Undefined if it does not exist. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/**
 * Throws if the path is not a regular file of this user. Reading a pipe or a device may never end, and
 * another user's grants must not count.
 */
function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  requireOwn(path, stats.uid)
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
}

/**
 * Renames a corrupt database and returns its new path. If several processes find it at once, one renames it. The others find its successor,
 * which `identity` tells apart. Throws while another process holds the lock (`isBusy`).
 */
export function setAside(path: string, identity: string): string | undefined {
  return withLock(`${path}.lock`, () => {
    if (identityOf(path) !== identity) return undefined
    const aside = freeName(path)
    // The main file comes last. If this is interrupted, SQLite sees either the old database or an empty start, never half a database.
    for (const suffix of ['-wal', '-shm', ''])
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    return aside
  })
}

function freeName(path: string): string {
  const base = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  let name = base
  for (let count = 2; existsSync(name); count++) name = `${base}-${count}`
  return name
}

/** An exclusive transaction on an empty database. The system releases it if its holder dies. */
function withLock<T>(path: string, work: () => T): T {
  requireFile(path)
  const lock = new (databaseConstructor())(path)
  try {
    chmodSync(path, 0o600)
    lock.exec('BEGIN EXCLUSIVE')
    return work()
  } finally {
    lock.close()
  }
}
