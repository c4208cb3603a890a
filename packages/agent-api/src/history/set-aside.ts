import { chmodSync, existsSync, renameSync } from 'node:fs'
import { databaseConstructor } from './database-constructor.ts'
import { identityOf, requireFile } from './file-identity.ts'

/**
 * Renames a database that is none any more, and says to what. Several processes may find it at once: one renames it, and the others find
 * its successor in its place, which they must not rename too. So it is named by what the file system calls it, too. Throws while another
 * process is at it (`isBusy`).
 */
export function setAside(path: string, identity: string): string | undefined {
  return withLock(`${path}.lock`, () => {
    if (identityOf(path) !== identity) return undefined
    const aside = freeName(path)
    // The file itself comes last: without it, what is left is an empty start to SQLite, and never half of a database.
    for (const suffix of ['-wal', '-shm', '']) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    return aside
  })
}

function freeName(path: string): string {
  const base = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  let name = base
  for (let count = 2; existsSync(name); count++) name = `${base}-${count}`
  return name
}

/** A lock that the system takes back when its holder dies: an empty database, locked. */
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
