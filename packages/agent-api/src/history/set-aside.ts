import { existsSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { isCorrupt } from './sqlite-error.ts'

/** A process that held the lock this long has died with it in its hands. */
const lockHeldMsMax = 10_000

/**
 * Renames a database that is none any more, and says to what. Several processes may find it at once: one renames it, and the others find
 * its successor in its place, which they must not rename too. `open` throws when what stands there cannot be used.
 */
export function setAside(path: string, open: () => void): string | undefined {
  const lock = `${path}.aside`
  acquire(lock)
  try {
    open()
    return undefined
  } catch (error) {
    if (!isCorrupt(error)) throw error
    const aside = freeName(path)
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    return aside
  } finally {
    release(lock)
  }
}

function freeName(path: string): string {
  const base = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  let name = base
  for (let count = 2; existsSync(name); count++) name = `${base}-${count}`
  return name
}

function acquire(lock: string): void {
  const deadline = performance.now() + lockHeldMsMax
  for (;;) {
    try {
      mkdirSync(lock)
      return
    } catch (error) {
      if (!isTaken(error)) throw error
      if (performance.now() > deadline || isStale(lock)) release(lock)
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}

function isStale(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return since !== undefined && Date.now() - since > lockHeldMsMax
}

function release(lock: string): void {
  try {
    rmdirSync(lock)
  } catch {
    // Somebody else was quicker.
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
