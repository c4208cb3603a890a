import { chmodSync, statSync, existsSync, mkdirSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { OstlerError } from './errors.ts'

const othersWrite = 0o022
/** The sticky bit, as on /tmp: no user can replace the files of another. */
const sticky = 0o1000

/**
 * Throws for a file or directory of another user, who could change what this user relies on. Root could do so
 * anyway.
 */
export function requireOwn(path: string, uid: number): void {
  const user = process.getuid?.()
  if (user !== undefined && user !== uid && uid !== 0) throw refused(path, 'belongs to another user')
}

/**
 * Ensures a directory of this user, in which nobody else can replace files. An existing one may have other purposes, such as a home
 * directory, so others may still enter it: the files themselves are private.
 */
export function makeOwnDirectory(path: string): void {
  makeDirectory(path)
  const found = statSync(path)
  if (!found.isDirectory()) throw refused(path, 'is not a directory')
  requireOwn(path, found.uid)
  const isOpen = (found.mode & othersWrite) !== 0 && (found.mode & sticky) === 0
  if (process.platform !== 'win32' && isOpen) chmodSync(path, found.mode & 0o7777 & ~othersWrite)
}

export function refused(path: string, what: string): OstlerError {
  return new OstlerError(
    'secrets.file_unusable',
    `${path} ${what}, so it is not used; move it away, or choose another directory with --state-dir`,
  )
}

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

/**
 * True if another user may have put something into this folder: it is theirs, or everybody may write to it. Where the person works in a
 * folder of `owner`, they have chosen to trust that user. Windows has no such owners.
 */
export function isForeign(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  owner: number,
  self = process.getuid?.(),
): boolean {
  if (self === undefined) return false
  if ((mode & 0o002) !== 0) return true
  return uid !== self && uid !== owner && (uid !== 0 || (mode & 0o020) !== 0)
}
