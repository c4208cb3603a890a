import { statSync } from 'node:fs'

/** Which file a path leads to; undefined when there is none. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev} ${stats.ino}`
}

/** Throws where something else is in the place of a file: reading a pipe or a device may never come to an end. */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) throw new Error(`${path} is not a regular file`)
}
