import { expect, test } from 'vitest'
import { isSteady, readClock, type SteadyClock } from '../../../packages/agent-api/src/history/steady-clock.ts'

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs
const hours = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index * hourMs)

/** Days of use, which began at 0. */
const used: SteadyClock = { seenAt: 10 * dayMs, steadySince: 0 }

test.each([
  ['a clock that goes on', hours(5, 10 * dayMs), true],
  ['a weekend away', [13 * dayMs], true],
  ['a holiday, at first', [100 * dayMs], false],
  ['a holiday, the day after', hours(26, 100 * dayMs), true],
  ['a moment in the future', [110 * dayMs], false],
  ['several processes in that moment', [110 * dayMs, 110 * dayMs + 1_000, 110 * dayMs + hourMs], false],
  ['the right time again, at first', [110 * dayMs, 10 * dayMs + hourMs], false],
  ['the right time again, the day after', [110 * dayMs, ...hours(26, 10 * dayMs + hourMs)], true],
  ['a moment in the past', [-20_000 * dayMs], false],
  ['the right time after a moment in the past', [-20_000 * dayMs, 10 * dayMs], false],
  ['an hour back, as for winter', [10 * dayMs - hourMs], true],
])('%s', (_, readings, expected) => {
  expect(isSteady(readings.reduce(readClock, used))).toBe(expected)
})
