import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a directory and its parents for this user alone, regardless of the umask. Not `recursive`: where nothing can be created (under
 * /proc, for example), Node's own recursive mkdir never returns.
 */
export function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory)
    chmodSync(directory, 0o700)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(directory)) throw error
  }
}
