import { expect, test } from 'vitest'
import { createKeyedQueue } from '../../../packages/acp-server/src/keyed-queue.ts'

/** Work that ends when the test says so, and records its start. */
function createWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTask()
  }
  return { begun, work, end }
}

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve))
const reason = new Error('stopped')
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

test('work with one key runs in its order, one at a time; other keys do not wait', async () => {
  const queue = createKeyedQueue()
  const { begun, work, end } = createWork()
  const results = Promise.all([
    queue.add('a', work('1')),
    queue.add('a', work('2')),
    queue.add('b', work('3')),
  ])
  await nextTask()
  expect(begun).toEqual(['1', '3'])
  await end('1')
  expect(begun).toEqual(['1', '3', '2'])
  await end('2')
  await end('3')
  expect(await results).toEqual(['1', '2', '3'])
})

test('work that fails does not prevent the next from running', async () => {
  const queue = createKeyedQueue()
  const failed = queue.add('a', () => Promise.reject(reason))
  const next = queue.add('a', () => Promise.resolve('done'))
  await expect(failed).rejects.toBe(reason)
  expect(await next).toBe('done')
})

test('stop ends what runs and what waits, and nothing that is added later', async () => {
  const queue = createKeyedQueue()
  expect(queue.stop('a', reason)).toBe(false)
  const running = queue.addStoppable('a', untilAborted)
  const waiting = queue.addStoppable('a', untilAborted)
  await nextTask()
  expect([queue.isStoppable('a'), queue.isStoppable('b')]).toEqual([true, false])
  expect(queue.stop('a', reason)).toBe(true)
  const later = queue.addStoppable('a', ({ aborted }) => Promise.resolve(aborted))
  await expect(running).rejects.toBe(reason)
  await expect(waiting).rejects.toBe(reason)
  expect(await later).toBe(false)
  expect(queue.isStoppable('a')).toBe(false)
})

test('after it is closed everything that can be stopped is stopped at once; the rest still runs', async () => {
  const queue = createKeyedQueue()
  const running = queue.addStoppable('a', untilAborted)
  queue.close(() => reason)
  const later = queue.addStoppable('b', untilAborted)
  const steady = queue.add('b', () => Promise.resolve('done'))
  await expect(running).rejects.toBe(reason)
  await expect(later).rejects.toBe(reason)
  expect(await steady).toBe('done')
})

test('is settled when all that was added has ended, however it ended', async () => {
  const queue = createKeyedQueue()
  const { work, end } = createWork()
  queue.add('a', () => Promise.reject(reason)).catch(() => undefined)
  const done = queue.add('b', work('1'))
  let isSettled = false
  const settled = queue.settled().then(() => (isSettled = true))
  await nextTask()
  expect(isSettled).toBe(false)
  await end('1')
  await Promise.all([done, settled])
})
