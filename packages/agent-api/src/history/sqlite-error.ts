/** SQLite's own numbers, without what it adds to them for experts. */
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

/** The file is no database, or not a whole one any more. */
export function isCorrupt(error: unknown): boolean {
  return is(error, codes.corrupt, codes.notADatabase)
}

/** It may work in a moment: somebody else is writing, or the disk is full. */
export function isPassing(error: unknown): boolean {
  return is(error, codes.busy, codes.locked, codes.readonly, codes.ioError, codes.full, codes.cannotOpen)
}

/** Somebody else is writing. */
export function isBusy(error: unknown): boolean {
  return is(error, codes.busy, codes.locked)
}

/** What the row belongs to is gone. */
export function isConstraint(error: unknown): boolean {
  return is(error, codes.constraint)
}

function is(error: unknown, ...wanted: readonly number[]): boolean {
  const code: unknown = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' && wanted.includes(code & 0xff)
}
