import type { Stats } from 'node:fs'

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
