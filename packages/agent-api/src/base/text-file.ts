import { randomBytes } from 'node:crypto'
import { chmod, realpath, rename, rm, stat, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readFileSync, statSync } from 'node:fs'
import { makeDirectory } from './file-owner.ts'
import { OstlerError, type ErrorCode, toSystemReason } from './errors.ts'

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

/**
 * Creates a file, for this user alone by default, and waits until the disk has it. Throws if the file exists.
 */
export async function writeSynced(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await using file = await open(path, 'wx', mode)
  await file.writeFile(content)
  await file.sync()
}

/** Makes new names in a directory durable. Windows and some file systems cannot do that, which is not an error. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r').catch(() => undefined)
  await directory?.sync().catch(() => undefined)
}

/** Throws an error with the given code. `what` is the kind of file. */
export function loadTextFile(
  file: string,
  { bytesMax, what, code }: { bytesMax: number; what: string; code: ErrorCode },
): string {
  try {
    if (statSync(file).size > bytesMax) throw new Error(`it is too large for ${what}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new OstlerError(code, `${file} cannot be read: ${toSystemReason(error)}.`, { cause: error })
  }
}
