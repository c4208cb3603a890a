import { expect, test } from 'vitest'
import { readClock, type SteadyClock } from '../../../../packages/agent-api/src/state/db/steady-clock.ts'

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs
const hourly = (count: number, from: number) => Array.from({ length: count }, (_, index) => from + index / 24)

/** Days of use, which began at 0. */
const used: SteadyClock = { seenAt: 10 * dayMs, steadySince: 0, trustedAt: 10 * dayMs }

/** Readings, and the time that is trusted after them, in days. */
test.each<[string, readonly number[], number]>([
  ['a clock that goes on', [10.1, 10.2], 10.2],
  ['a weekend away', [13], 13],
  ['a holiday, at first', [100], 10],
  ['a holiday, the day after', hourly(26, 100), 100 + 25 / 24],
  ['one holiday after the other', [30, 30.2, 60, 60.2, 90], 60.2],
  ['short uses, each long after the other, but none for a day', [30, 31, 60], 31],
  ['a moment in the future', [110], 10],
  ['several processes in that moment', [110, 110.01, 110.2], 10],
  ['the right time again, at first', [110, 10.1], 10],
  ['the right time again, the day after', [110, ...hourly(26, 10.1)], 10.1 + 25 / 24],
  ['a moment in the past', [-20_000], -20_000],
  ['the right time after a moment in the past', [-20_000, 10.1], -20_000],
  [
    'the right time after a moment in the past, the day after',
    [-20_000, ...hourly(26, 10.1)],
    10.1 + 25 / 24,
  ],
  ['an hour back, as for winter', [10 - 1 / 24], 10 - 1 / 24],
])('%s', (_, readings, expected) => {
  const { trustedAt } = readings.reduce((clock, days) => readClock(clock, days * dayMs), used)
  expect(trustedAt / dayMs).toBeCloseTo(expected)
})
