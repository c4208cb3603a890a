import { syncDirectory, writeSynced } from '../base/text-file.ts'
import { constants } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { messageOf, OstlerError } from '../base/errors.ts'
import { makeOwnDirectory, refused, requireOwn } from '../base/file-owner.ts'

/** Files that belong to this user alone. Refuses symbolic links, other users' files, and access by others. */

export const temporarySuffix = '.tmp'
const fileBytesMax = 8 * 1024 * 1024

/** Returns undefined if the file does not exist. Throws if it is not safe to use. Removes other users' permissions. */
export async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  const file = await openPrivate(path)
  if (file === undefined) return undefined
  try {
    const { size, mode, uid } = await checkRegular(file, path)
    requireOwn(path, uid)
    if (hasPosixModes() && (mode & 0o077) !== 0) await file.chmod(0o600)
    if (size > fileBytesMax) throw refused(path, 'is larger than anything Ostler writes')
    return await file.readFile()
  } catch (error) {
    throw asOstlerError(error, path, 'read')
  } finally {
    await file.close()
  }
}

/** Replaces the file atomically: a reader sees either the old or the new content. */
export async function replacePrivateFile(path: string, content: string | Buffer): Promise<void> {
  await withTemporary(path, content, (temporary) => rename(temporary, path))
}

/** Ensures a directory in which nobody else can replace files. */
export async function openPrivateDirectory(path: string): Promise<void> {
  try {
    makeOwnDirectory(path)
  } catch (error) {
    throw asOstlerError(error, path, 'create')
  }
}

export function asOstlerError(error: unknown, path: string, doing: string): OstlerError {
  if (error instanceof OstlerError) return error
  const { code } = error as NodeJS.ErrnoException
  const why = (code !== undefined && reasons[code]) || messageOf(error)
  return new OstlerError(
    'secrets.file_unusable',
    `Cannot ${doing} ${path}: ${why}. Check the directory, or choose another with --state-dir.`,
    {
      cause: error,
    },
  )
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'a parent directory is missing',
  ENOTDIR: 'part of the path is a file',
  EISDIR: 'it is a directory',
}

async function openPrivate(path: string): Promise<FileHandle | undefined> {
  try {
    // Non-blocking, because opening a pipe would wait for a writer.
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    // FreeBSD reports EMLINK for a symbolic link.
    if (code === 'ELOOP' || code === 'EMLINK') throw refused(path, 'is a symbolic link')
    throw asOstlerError(error, path, 'open')
  }
}

async function checkRegular(file: FileHandle, path: string) {
  const found = await file.stat()
  if (!found.isFile()) throw refused(path, `is ${found.isDirectory() ? 'a directory' : 'not a regular file'}`)
  return found
}

async function withTemporary(
  path: string,
  content: string | Buffer,
  commit: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}${temporarySuffix}`
  try {
    await writeSynced(temporary, content)
    await commit(temporary)
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}

function hasPosixModes(): boolean {
  return process.platform !== 'win32'
}
