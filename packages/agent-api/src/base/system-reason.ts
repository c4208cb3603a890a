import { messageOf } from './errors.ts'

/** Explains to a person why a file could not be read or written. */
export function toSystemReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? messageOf(error)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it exists already',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'disk I/O error',
  EMFILE: 'too many open files',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EFBIG: 'the file would become larger than is allowed',
  ERR_INVALID_ARG_VALUE: 'its name contains a null character',
}
