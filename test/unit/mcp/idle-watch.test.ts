import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchIdle } from '../../../packages/agent-api/src/mcp/idle-watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A connection that notes when it rests. */
function openConnection(idleMs: number) {
  const connection = {
    usedAt: performance.now() as number | undefined,
    restedAt: undefined as number | undefined,
  }
  const begun = performance.now()
  const stop = watchIdle({
    idleMs,
    unusedSince: () => connection.usedAt,
    rest: () => (connection.restedAt = performance.now() - begun),
  })
  return Object.assign(connection, { stop })
}

test('all connections share one timer, and each rests at its time', () => {
  const all = [3_000, 1_000, 2_000].map(openConnection)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(all.map(({ restedAt }) => restedAt)).toEqual([3_000, 1_000, 2_000])
  expect(vi.getTimerCount()).toBe(0)
})

test('use moves the end, and a connection in use does not rest', () => {
  const used = openConnection(1_000)
  const busy = openConnection(1_000)
  vi.advanceTimersByTime(900)
  used.usedAt = performance.now()
  busy.usedAt = undefined
  vi.advanceTimersByTime(5_000)
  expect(used.restedAt).toBe(1_900)
  expect(busy.restedAt).toBeUndefined()
  busy.usedAt = performance.now()
  vi.advanceTimersByTime(1_000)
  expect(busy.restedAt).toBe(6_900)
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
