import { expect, it } from 'vitest'
import { defaultTiming } from '../../../../packages/agent-api/src/base/timing.ts'
import { openDatabasePlace } from '../../../../packages/agent-api/src/state/db/database-place.ts'
import {
  openMemoryDatabase,
  type OpenedDatabase,
} from '../../../../packages/agent-api/src/state/db/database.ts'

const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
const corrupt = Object.assign(new Error('file is not a database'), { errcode: 26 })
const broken = new Error('no such place')
const never = (): OpenedDatabase => {
  throw new Error('nothing is replaced here')
}

/** Uses the given outcomes in turn: a database, or an error to throw. */
function opener(...results: readonly (OpenedDatabase | Error)[]): () => OpenedDatabase {
  const left = [...results]
  return () => {
    const next = left.shift()
    if (next === undefined || next instanceof Error) throw next ?? new Error('opened once too often')
    return next
  }
}

it('opens a database that was in use at the next allowed attempt', () => {
  const place = openDatabasePlace({
    timing: defaultTiming,
    open: opener(busy, openMemoryDatabase()),
    replace: never,
  })
  expect(() => place.run(() => 1)).toThrow(busy)
  place.waitAtMost(1)
  expect(place.run(() => 1)).toBe(1)
  expect(place.generation).toBe(0)
  place.close()
})

it('throws if the database can never be opened', () => {
  expect(() => openDatabasePlace({ timing: defaultTiming, open: opener(broken), replace: never })).toThrow(
    broken,
  )
})

it('runs the work again in a new database when the old one turns out to be corrupt', () => {
  const old = openMemoryDatabase()
  const replaced: boolean[] = []
  const replace = (was: OpenedDatabase, isDamaged: boolean) => {
    expect(was).toBe(old)
    replaced.push(isDamaged)
    return openMemoryDatabase()
  }
  const place = openDatabasePlace({ timing: defaultTiming, open: opener(old), replace })
  let runs = 0
  const value = place.run(() => {
    if (++runs === 1) throw corrupt
    return runs
  })
  expect([value, place.generation, replaced, old.database.isOpen]).toEqual([2, 1, [true], false])
  place.close()
})

it('keeps the error of a database that could not be replaced', () => {
  const place = openDatabasePlace({
    timing: defaultTiming,
    open: opener(openMemoryDatabase()),
    replace() {
      throw broken
    },
  })
  const work = () => {
    throw corrupt
  }
  expect(() => place.run(work)).toThrow(broken)
  expect(() => place.run(() => 1)).toThrow(broken)
})

it('reports that it is closed', () => {
  const opened = openMemoryDatabase()
  const place = openDatabasePlace({
    timing: defaultTiming,
    open: opener({ ...opened, isReadOnly: true }),
    replace: never,
  })
  expect(place.isReadOnly).toBe(true)
  place.close()
  place.close()
  expect(opened.database.isOpen).toBe(false)
  expect(() => place.run(() => 1)).toThrow('The history is closed.')
})
