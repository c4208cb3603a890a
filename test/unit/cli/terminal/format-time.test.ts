import { expect, test } from 'vitest'
import { formatTime } from '../../../../packages/cli/src/terminal/format-time.ts'

test('times are short: the day is shown only if it is not today', () => {
  const today = new Date(2026, 10, 18, 9, 5, 7)
  expect(formatTime(today.toISOString(), new Date(2026, 10, 18, 23))).toBe('09:05:07')
  expect(formatTime(today.toISOString(), new Date(2026, 10, 19))).toBe('2026-11-18 09:05')
  expect(formatTime('never')).toBe('never')
})
