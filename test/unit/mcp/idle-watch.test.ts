import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIdleWatch } from '../../../packages/agent-api/src/mcp/idle-watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection that notes when it rests. */
function openConnection(idleMs: number) {
  const begun = performance.now()
  const connection = { isKept: false, restedAt: undefined as number | undefined }
  const watch = createIdleWatch({
    idleMs,
    isKept: () => connection.isKept,
    rest: () => (connection.restedAt = performance.now() - begun),
  })
  watch.start()
  return Object.assign(connection, watch)
}

test('all connections share one timer, and each rests at its time', () => {
  const all = [3_000, 1_000, 2_000].map(openConnection)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(all.map(({ restedAt }) => restedAt)).toEqual([3_000, 1_000, 2_000])
  expect(vi.getTimerCount()).toBe(0)
})

test('a use moves the end, and a connection in use or kept does not rest', () => {
  const [used, busy, kept] = [openConnection(1_000), openConnection(1_000), openConnection(1_000)]
  vi.advanceTimersByTime(900)
  used.hold()[Symbol.dispose]()
  const uses = [busy.hold(), busy.hold()]
  kept.isKept = true
  vi.advanceTimersByTime(5_000)
  uses[0]?.[Symbol.dispose]()
  vi.advanceTimersByTime(5_000)
  expect([used.restedAt, busy.restedAt, kept.restedAt]).toEqual([1_900, undefined, undefined])
  uses[1]?.[Symbol.dispose]()
  kept.isKept = false
  vi.advanceTimersByTime(2_000)
  expect(busy.restedAt).toBe(11_900)
  expect(kept.restedAt).toBeGreaterThan(10_900)
})

test('a connection that has ended does not rest, and leaves no timer', () => {
  const [one, other] = [openConnection(1_000), openConnection(2_000)]
  one.stop()
  vi.advanceTimersByTime(1_500)
  expect(one.restedAt).toBeUndefined()
  expect(vi.getTimerCount()).toBe(1)
  other.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('a time that is longer than any timer of Node is waited for', () => {
  const begun = performance.now()
  const connection = openConnection(3_000_000_000)
  // A time that is too long for Node would wake the process after a millisecond.
  vi.advanceTimersToNextTimer()
  expect(performance.now() - begun).toBeGreaterThan(1_000)
  vi.advanceTimersByTime(3_000_000_000)
  expect(connection.restedAt).toBe(3_000_000_000)
})

test('a connection that never rests sets no timer', () => {
  openConnection(Infinity)
  expect(vi.getTimerCount()).toBe(0)
})
