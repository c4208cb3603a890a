import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import { temporarySuffix } from './private-file.ts'

/** Nobody holds the lock for more than a few milliseconds. One that stays this long belongs to a process that is gone. */
const staleMs = 5_000
const waitMs = 60_000
const pauseMsMax = 20

export interface FileLock extends AsyncDisposable {
  /** False when others took this process for dead: what it has read by now may be old. */
  isHeld(): Promise<boolean>
}

export interface FileLockOptions {
  readonly staleMs?: number
  readonly waitMs?: number
}

/** A lock between processes: a file that only one of them can create. */
export async function openFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock> {
  const token = randomBytes(16).toString('hex')
  const deadline = performance.now() + (options.waitMs ?? waitMs)
  let seen: string | undefined
  let seenSince = performance.now()
  while (!(await create(path, token))) {
    const now = performance.now()
    if (now > deadline)
      throw new OstlerError('secrets.busy', `Other processes keep ${path} locked. Close them, or delete that file if there are none.`)
    const holder = await readHolder(path)
    if (holder !== seen) {
      seen = holder
      seenSince = now
    } else if (holder !== undefined && now - seenSince > (options.staleMs ?? staleMs)) {
      // By our own clock, and not by the file's time: clocks jump.
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
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows says EPERM of a file that is being deleted.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

async function readHolder(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined)
}

/** Moved away first, so that only one of those who wait does it; put back when it turns out to be somebody's new lock. */
async function breakLock(path: string, holder: string): Promise<void> {
  const broken = `${path}.${randomBytes(6).toString('hex')}${temporarySuffix}`
  try {
    await rename(path, broken)
    const isNew = (await readHolder(broken)) !== holder
    await (isNew ? rename(broken, path) : rm(broken, { force: true }))
  } catch {
    // Another was faster. Whoever lost a lock by this learns it from `isHeld`.
  }
}
