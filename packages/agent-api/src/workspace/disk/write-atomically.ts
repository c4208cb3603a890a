import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, chown, mkdir, open, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { OstlerError } from '../../base/errors.ts'
import { fileError, isMissing, notAFile } from './file-error.ts'
import { syncDirectory, writeSynced } from '../../base/text-file.ts'

/**
 * Replaces the content of a file, or creates it with its directories. A reader sees the old or the new content, never a part. If it fails
 * or is cancelled, everything is as before. `path` contains no links.
 */
export async function writeAtomically(
  path: string,
  bytes: Buffer,
  { shown, signal }: { shown: string; signal: AbortSignal },
): Promise<void> {
  try {
    const existing = await checkWritable(path, shown)
    await using created = await createDirectories(dirname(path))
    signal.throwIfAborted()
    // A new file in its place would lose the hard links of the file.
    if (existing !== undefined && existing.nlink > 1) await writeInPlace(path, bytes)
    else await replace(path, bytes, { existing, signal })
    created.keep()
  } catch (error) {
    if (signal.aborted) throw error
    throw fileError(shown, 'written', error)
  }
}

/** The file that would be replaced. Rejects if it is not a regular file, or is read-only. */
export async function checkWritable(path: string, shown: string): Promise<Stats | undefined> {
  const existing = await statIfThere(path)
  if (existing === undefined) return undefined
  const special = notAFile(shown, existing)
  if (special !== undefined) throw special
  if ((existing.mode & 0o222) !== 0) return existing
  throw new OstlerError(
    'workspace.read_only',
    `${shown} is read-only, so it is not written. The person can change its mode.`,
  )
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

interface Replacement {
  readonly existing: Stats | undefined
  readonly signal: AbortSignal
}

async function replace(path: string, bytes: Buffer, { existing, signal }: Replacement): Promise<void> {
  const directory = dirname(path)
  const temporary = join(directory, `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    // Never readable by more people than the file itself.
    await writeSynced(temporary, bytes, existing === undefined ? 0o666 : existing.mode & 0o777)
    if (existing !== undefined) await takeOver(temporary, existing)
    signal.throwIfAborted()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    // If the directory cannot be changed or the owner cannot be kept, the file itself may still be writable.
    if (existing === undefined || !isForbidden(error) || signal.aborted) throw error
    await writeInPlace(path, bytes)
    return
  }
  await syncDirectory(directory)
}

function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}

/** Gives a file the owner and mode of another. */
async function takeOver(path: string, { uid, gid, mode }: Stats): Promise<void> {
  const own = await stat(path)
  if (own.uid !== uid || own.gid !== gid) await chown(path, uid, gid)
  await chmod(path, mode & 0o7777)
}

/** Restores the old content if the new one does not fit on the disk. */
async function writeInPlace(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    const old = await handle.readFile()
    try {
      await overwrite(handle, bytes)
    } catch (error) {
      await overwrite(handle, old)
      throw error
    }
  } finally {
    await handle.close()
  }
}

async function overwrite(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written)
    written += bytesWritten
  }
  await handle.truncate(bytes.length)
  await handle.sync()
}

export interface CreatedDirectories extends AsyncDisposable {
  /** Otherwise, they are removed again if they are empty. */
  keep(): void
}

/** Creates missing directories. Not `recursive`: where nothing can be created, Node's own recursive mkdir may never return. */
export async function createDirectories(directory: string): Promise<CreatedDirectories> {
  const created: string[] = []
  const undo = async () => {
    for (const path of created.splice(0).toReversed()) await rmdir(path).catch(() => undefined)
  }
  try {
    const missing: string[] = []
    for (
      let path = directory;
      (await statIfThere(path)) === undefined && path !== dirname(path);
      path = dirname(path)
    )
      missing.unshift(path)
    for (const path of missing) {
      await mkdir(path)
      created.push(path)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { keep: () => void created.splice(0), [Symbol.asyncDispose]: undo }
}
