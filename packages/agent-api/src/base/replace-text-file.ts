import { randomBytes } from 'node:crypto'
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from './make-directory.ts'
import { writeSynced } from './write-synced.ts'

/**
 * Replaces a file atomically, or creates it for this user alone. Follows a symbolic link, and keeps the permissions of the file.
 * `checkLast` may throw: it runs when everything is ready, right before the file is replaced.
 */
export async function replaceTextFile(
  path: string,
  content: string | Uint8Array,
  checkLast?: () => Promise<void>,
): Promise<void> {
  let temporary: string | undefined
  try {
    const target = await realpath(path).catch(() => path)
    makeDirectory(dirname(target))
    const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o600
    temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
    await writeSynced(temporary, content)
    await chmod(temporary, mode & 0o7777)
    await checkLast?.()
    await rename(temporary, target)
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}
