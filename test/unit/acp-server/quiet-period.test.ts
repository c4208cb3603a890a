import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQuietPeriod } from '../../../packages/acp-server/src/quiet-period.ts'

const quietMs = 2_500

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('ends by itself, and an answer that is sent late starts its time again', () => {
  const quiet = createQuietPeriod(quietMs)
  expect(quiet.isOver).toBe(true)
  quiet.begin()
  vi.advanceTimersByTime(quietMs - 1)
  quiet.extend()
  vi.advanceTimersByTime(quietMs - 1)
  expect(quiet.isOver).toBe(false)
  vi.advanceTimersByTime(1)
  expect(quiet.isOver).toBe(true)
})

it('ends with the next request, and a late answer does not bring it back', async () => {
  const quiet = createQuietPeriod(quietMs)
  quiet.begin()
  const over = quiet.over()
  quiet.end()
  await over
  quiet.extend()
  expect(quiet.isOver).toBe(true)
})
