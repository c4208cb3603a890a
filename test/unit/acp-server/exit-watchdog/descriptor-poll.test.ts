import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDescriptorPoll } from '../../../../packages/acp-server/src/exit-watchdog/descriptor-poll.ts'
import { openPipe, openSocketPair } from '../../../support/descriptors.ts'

test('a pipe is readable once it contains data, which stays there', async () => {
  await using pipe = await openPipe()
  const poll = openDescriptorPoll(pipe.reading)
  expect(poll.isReadable()).toBe(false)
  writeSync(pipe.writing, 'word')
  expect(poll.isReadable()).toBe(true)
  expect(poll.isReadable()).toBe(true)
  expect(poll.isHungUp()).toBe(false)
})

test('a pipe is writable until it is full', async () => {
  await using pipe = await openPipe()
  const poll = openDescriptorPoll(pipe.writing)
  expect(poll.isWritable()).toBe(true)
  expect(() => {
    for (;;) writeSync(pipe.writing, Buffer.alloc(4_096))
  }).toThrow('EAGAIN')
  expect(poll.isWritable()).toBe(false)
  expect(poll.isHungUp()).toBe(false)
})

test.each(['reading', 'writing'] as const)('the end of a pipe is hung up once the other end is closed: the %s end', async (end) => {
  await using pipe = await openPipe()
  const poll = openDescriptorPoll(pipe[end])
  expect(poll.isHungUp()).toBe(false)
  pipe.close(end === 'reading' ? 'writing' : 'reading')
  expect(poll.isHungUp()).toBe(true)
})

test('a socket is hung up once the other end stops writing', async () => {
  await using pair = await openSocketPair()
  const poll = openDescriptorPoll(pair.descriptor)
  expect(poll.isHungUp()).toBe(false)
  expect(poll.isWritable()).toBe(true)
  pair.other.end()
  await once(pair.other, 'finish')
  expect(poll.isHungUp()).toBe(true)
})

test('a file is never hung up', () => {
  const descriptor = openSync(import.meta.filename, 'r')
  try {
    expect(openDescriptorPoll(descriptor).isHungUp()).toBe(false)
  } finally {
    closeSync(descriptor)
  }
})
