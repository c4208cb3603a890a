import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createThrottle } from '../../../packages/agent-api/src/base/throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks for a wait until the second is over, once its items are used up', () => {
  const throttle = createThrottle(10)
  expect(throttle(9)).toBe(0)
  vi.advanceTimersByTime(400)
  expect(throttle(1)).toBe(600)
  vi.advanceTimersByTime(600)
  expect(throttle(9)).toBe(0)
})

it('counts the items of each second alone', () => {
  const throttle = createThrottle(10)
  expect(throttle(9)).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(throttle(9)).toBe(0)
})
