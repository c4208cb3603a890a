import { chmodSync, existsSync, renameSync } from 'node:fs'
import { databaseConstructor } from './database-constructor.ts'
import { identityOf, requireFile } from './file-identity.ts'

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
