import { describe, expect, it } from 'vitest'
import {
  isBusy,
  isCorrupt,
  isMissingParent,
  isPassing,
  isSqlite,
  isUnwritable,
  toReason,
} from '../../../../packages/agent-api/src/state/db/sqlite-error.ts'

const sqlite = (errcode: number) => Object.assign(new Error(`SQLite ${errcode}`), { errcode })
const system = (code: string) => Object.assign(new Error(code), { code })

describe('an error of SQLite', () => {
  const tests = { isBusy, isCorrupt, isMissingParent, isPassing, isUnwritable }
  it.each([
    [5, ['isBusy', 'isPassing']],
    // SQLite puts details into the higher bits: this is busy because of a recovery.
    [261, ['isBusy', 'isPassing']],
    [6, ['isBusy', 'isPassing']],
    [8, ['isPassing', 'isUnwritable']],
    [10, ['isPassing']],
    [11, ['isCorrupt']],
    [13, ['isPassing', 'isUnwritable']],
    // On a full disk, even a reader finds no room for the index of the log.
    [4874, ['isPassing', 'isUnwritable']],
    [14, ['isPassing', 'isUnwritable']],
    [19, []],
    [787, ['isMissingParent']],
    [26, ['isCorrupt']],
  ])('%i', (code, expected) => {
    const names = Object.entries(tests).flatMap(([name, test]) => (test(sqlite(code)) ? [name] : []))
    expect(names).toEqual(expected)
    expect(isSqlite(sqlite(code))).toBe(true)
  })

  it.each([
    new Error('another'),
    { errcode: 5 },
    Object.assign(new Error('odd'), { errcode: 'five' }),
    undefined,
  ])('is not %s', (error) => {
    expect(isSqlite(error)).toBe(false)
    expect(isBusy(error)).toBe(false)
  })

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC'])(
    '%s of the system means that nothing can be written',
    (code) => {
      expect(isUnwritable(system(code))).toBe(true)
    },
  )
})

describe('the reason for a person', () => {
  it.each([
    [sqlite(13), 'the disk is full'],
    [sqlite(4874), 'the disk is full'],
    [sqlite(5), 'it is in use by another program'],
    [sqlite(8), 'it is read-only'],
    [sqlite(10), 'disk I/O error'],
    [system('ENOSPC'), 'the disk is full'],
    [system('ENOTDIR'), 'part of the path is a file'],
    [system('EWHATEVER'), 'EWHATEVER'],
    [sqlite(1), 'SQLite 1'],
    ['a text', 'a text'],
  ])('%s', (error, reason) => {
    expect(toReason(error)).toBe(reason)
  })
})
