import { expect, test } from 'vitest'
import { formatBytes, formatDuration, formatTime } from '../../../../packages/cli/src/terminal/format-quantity.ts'

test('times are short: the day is shown only if it is not today', () => {
  const today = new Date(2026, 10, 18, 9, 5, 7)
  expect(formatTime(today.toISOString(), new Date(2026, 10, 18, 23))).toBe('09:05:07')
  expect(formatTime(today.toISOString(), new Date(2026, 10, 19))).toBe('2026-11-18 09:05')
  expect(formatTime('never')).toBe('never')
})

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_960, '1 min 0 s'],
  [61_000, '1 min 1 s'],
  [3_720_000, '1 h 2 min'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('bytes', () => {
  expect([0, 1_023, 1_024, 1_048_576].map(formatBytes)).toEqual(['0 bytes', '1023 bytes', '1.0 KiB', '1.0 MiB'])
})
