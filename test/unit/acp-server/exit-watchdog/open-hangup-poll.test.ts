import { once } from 'node:events'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHangupPoll } from '../../../../packages/acp-server/src/exit-watchdog/open-hangup-poll.ts'
import { openPipe, openSocketPair } from '../../../support/descriptors.ts'

test('a pipe is hung up once its writing end is closed, and keeps what was written', async () => {
  await using pipe = await openPipe()
  const isHungUp = openHangupPoll(pipe.reading)
  expect(isHungUp()).toBe(false)
  writeSync(pipe.writing, 'word')
  expect(isHungUp()).toBe(false)
  pipe.close('writing')
  expect(isHungUp()).toBe(true)
  expect(isHungUp()).toBe(true)
  const left = Buffer.alloc(10)
  expect(left.toString('utf8', 0, readSync(pipe.reading, left))).toBe('word')
})

test('a socket is hung up once the other end stops writing', async () => {
  await using pair = await openSocketPair()
  const isHungUp = openHangupPoll(pair.descriptor)
  expect(isHungUp()).toBe(false)
  pair.other.end()
  await once(pair.other, 'finish')
  expect(isHungUp()).toBe(true)
})

test('a file is never hung up', () => {
  const descriptor = openSync(import.meta.filename, 'r')
  try {
    expect(openHangupPoll(descriptor)()).toBe(false)
  } finally {
    closeSync(descriptor)
  }
})
