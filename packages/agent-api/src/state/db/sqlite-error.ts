import { messageOf } from '../../base/errors.ts'

const codes = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const

/** Extended code for a violated foreign key. */
const missingParent = 787
/** Extended code: a file beside the database, which even a reader needs, cannot grow. */
const noRoomForIndex = 4874

export function isCorrupt(error: unknown): boolean {
  return hasCode(error, codes.corrupt, codes.notADatabase)
}

/** A retry may succeed: the database is locked, or the disk is full. */
export function isPassing(error: unknown): boolean {
  return hasCode(error, codes.busy, codes.locked, codes.readonly, codes.ioError, codes.full, codes.cannotOpen)
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, codes.busy, codes.locked)
}

/** The database cannot be written, but perhaps read. */
export function isUnwritable(error: unknown): boolean {
  const system = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    hasCode(error, codes.readonly, codes.cannotOpen) ||
    isFull(error) ||
    ['EACCES', 'EPERM', 'EROFS'].includes(system)
  )
}

function isFull(error: unknown): boolean {
  return (
    hasCode(error, codes.full) ||
    codeOf(error) === noRoomForIndex ||
    (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
  )
}

export function isMissingParent(error: unknown): boolean {
  return codeOf(error) === missingParent
}

export function isSqlite(error: unknown): boolean {
  return codeOf(error) !== undefined
}

export function toReason(error: unknown): string {
  if (isFull(error)) return 'the disk is full'
  if (isBusy(error)) return 'it is in use by another program'
  if (hasCode(error, codes.readonly)) return 'it is read-only'
  if (hasCode(error, codes.ioError)) return 'disk I/O error'
  const system = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
  return system ?? messageOf(error)
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'it is not a directory',
  EISDIR: 'a directory has its name',
  ENOENT: 'it cannot be created',
}

function hasCode(error: unknown, ...wanted: readonly number[]): boolean {
  const code = codeOf(error)
  return code !== undefined && wanted.includes(code & 0xff)
}

function codeOf(error: unknown): number | undefined {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}
