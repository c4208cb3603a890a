import { messageOf } from './errors.ts'

/** Explains to a person why a file could not be read or written. */
export function toSystemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? messageOf(error)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of that path is a file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the disk may only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'the disk does not work as it should',
  EMFILE: 'too many files are open',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'its name is too long',
}
