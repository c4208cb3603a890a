import { statSync } from 'node:fs'
import { requireOwn } from '../../base/file-owner.ts'

/** Identifies the file that a path leads to. Undefined if it does not exist. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/** Throws if the path is not a regular file of this user. Reading a pipe or a device may never end, and what another user grants is no grant. */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  requireOwn(path, stats.uid)
  if (!stats.isFile()) throw new Error(`${path} is not a regular file`)
}
