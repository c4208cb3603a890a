import { expect, test } from 'vitest'
import { createLineQueue, linesOf } from '../../../packages/console/src/server/line-queue.ts'

const send = (lines: number, end: () => Promise<void> = async () => undefined) =>
  linesOf<number>((push) => {
    for (let line = 0; line < lines; line++) push(line)
    return end()
  })

test('the lines arrive in order, and the last 1,000 for a reader who comes late', async () => {
  expect(await Array.fromAsync(send(3))).toEqual([0, 1, 2])
  const late = await Array.fromAsync(send(1_200))
  expect([late.length, late[0], late.at(-1)]).toEqual([1_000, 200, 1_199])
})

test('work that fails ends the lines, and its reader gets the error', async () => {
  const lines = send(1, () => Promise.reject(new Error('no disk')))
  expect(await lines.next()).toEqual({ done: false, value: 0 })
  await expect(lines.next()).rejects.toThrow('no disk')
})

test('a reader that leaves waits for the end of the work', async () => {
  const work = Promise.withResolvers<void>()
  const lines = send(2, () => work.promise)
  await lines.next()
  let isOver = false
  const over = lines.return(undefined).then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  work.resolve()
  await over
})

test('what is pushed after the end is dropped', async () => {
  const queue = createLineQueue<number>()
  queue.push(1)
  queue.end()
  queue.push(2)
  expect(await Array.fromAsync(queue)).toEqual([1])
})
