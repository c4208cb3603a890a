import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callTimes, createCallClock } from '../../../packages/agent-api/src/mcp/call-clock.ts'

const minuteMs = 60_000

describe('createCallClock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** The number of minutes that a call with progress every minute lasts. */
  function minutesWithProgress(configuredMs: number | undefined, minutesMax: number): number {
    const clock = createCallClock(callTimes(configuredMs))
    for (let minute = 0; minute < minutesMax; minute++) {
      for (let second = 0; second < 60; second += 10) {
        vi.advanceTimersByTime(10_000)
        if (clock.signal.aborted) return minute
        clock.touch()
      }
    }
    return minutesMax
  }

  it('a configured time applies unchanged, even above ten minutes', () => {
    const clock = createCallClock(callTimes(15 * minuteMs))
    vi.advanceTimersByTime(15 * minuteMs - 1)
    expect(clock.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(clock.signal.reason).toMatchObject({ code: 'mcp.call_timeout', message: 'timed out after 900 s' })
  })

  it.each([
    ['ten minutes', undefined, 10],
    ['ten minutes', 30_000, 10],
    ['ten timeouts, if they are longer', 3 * minuteMs, 30],
  ])('progress keeps a call alive for %s', (_, configuredMs, minutes) => {
    expect(minutesWithProgress(configuredMs, 60)).toBe(minutes - 1)
  })

  it('a call without a configured time ends after 30 seconds of silence', () => {
    const clock = createCallClock(callTimes(undefined))
    vi.advanceTimersByTime(30_000)
    expect(clock.signal.reason).toMatchObject({ message: 'timed out after 30 s' })
  })
})
