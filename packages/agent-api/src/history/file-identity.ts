import { statSync } from 'node:fs'

/** Identifies the file that a path leads to. Undefined if there is none. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/** Throws if the path is not a regular file. Reading a pipe or a device may never end. */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) throw new Error(`${path} is not a regular file`)
}
