import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import { temporarySuffix } from './private-file.ts'

/** The lock is normally held for a few milliseconds. After this time, its process is assumed to be dead. */
const staleMs = 5_000
const waitMs = 60_000
const pauseMsMax = 20

export interface FileLock extends AsyncDisposable {
  /** False if another process considered this one dead and took the lock. Anything read before may then be stale. */
  isHeld(): Promise<boolean>
}

export interface FileLockOptions {
  readonly staleMs?: number
  readonly waitMs?: number
}

/** A lock between processes: a file that only one process can create. */
export async function openFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock> {
  const token = randomBytes(16).toString('hex')
  const deadline = performance.now() + (options.waitMs ?? waitMs)
  let seen: string | undefined
  let seenSince = performance.now()
  while (!(await create(path, token))) {
    const now = performance.now()
    if (now > deadline)
      throw new OstlerError(
        'secrets.busy',
        `Other processes keep ${path} locked. Close them, or delete that file if none runs.`,
      )
    const holder = await readHolder(path)
    if (holder !== seen) {
      seen = holder
      seenSince = now
    } else if (holder !== undefined && now - seenSince > (options.staleMs ?? staleMs)) {
      // Measured by this process's clock, because file times jump when the system clock changes.
      await breakLock(path, holder)
    }
    await sleep(1 + Math.random() * pauseMsMax)
  }
  return {
    isHeld: async () => (await readHolder(path)) === token,
    async [Symbol.asyncDispose]() {
      if ((await readHolder(path)) === token) await rm(path, { force: true })
    },
  }
}

async function create(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(token)
    } catch (error) {
      // The disk is full. Others would wait for this lock until it is stale.
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows reports EPERM for a file that is being deleted.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

async function readHolder(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined)
}

/**
 * Renames the stale lock first, so that only one waiting process removes it. Restores it if it turns out to be another process's new lock.
 */
async function breakLock(path: string, holder: string): Promise<void> {
  const broken = `${path}.${randomBytes(6).toString('hex')}${temporarySuffix}`
  try {
    await rename(path, broken)
    const isNew = (await readHolder(broken)) !== holder
    await (isNew ? rename(broken, path) : rm(broken, { force: true }))
  } catch {
    // Another process was faster. A process that loses its lock here finds out by `isHeld`.
  }
}
