import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createRedactor } from '../../../../packages/agent-api/src/redaction/redact.ts'
import { createTextCleaner } from '../../../../packages/agent-api/src/redaction/text-cleaner.ts'
import { createOutputLog } from '../../../../packages/agent-api/src/workspace/commands/output-log.ts'
import {
  readOutputEnd,
  readOutputFrom,
} from '../../../../packages/agent-api/src/workspace/commands/read-output.ts'

const mebibyte = 1024 * 1024

test('an output is read at any position, whether it is in memory or on disk', async () => {
  await using log = createOutputLog()
  const whole = Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join('')
  for (let at = 0; at < whole.length; at += 777) log.append(Buffer.from(whole.slice(at, at + 777)))
  expect(await log.size()).toBe(whole.length)
  for (const [from, to] of [
    [0, 50],
    [500_000, 500_100],
    [whole.length - 10, whole.length],
    [whole.length - 300_000, whole.length],
    [0, whole.length],
  ] as const)
    expect(await log.read(from, to)).toEqual({ start: from, end: to, text: whole.slice(from, to) })
  expect(await log.read(-5, 3)).toEqual({ start: 0, end: 3, text: whole.slice(0, 3) })
  expect((await log.read(whole.length, whole.length + 5)).text).toBe('')
})

test('only the end of a huge output is kept, and its file has no name', async () => {
  await using log = createOutputLog()
  const piece = Buffer.alloc(mebibyte, 'x')
  for (let count = 0; count < 70; count++) {
    log.append(piece)
    await log.congestion
  }
  log.append(Buffer.from('the end'))
  const { start, end, text } = await log.read(0, 10 * mebibyte)
  expect(start).toBe(70 * mebibyte + 7 - 64 * mebibyte)
  expect(text.length).toBe(end - start)
  expect((await log.read(70 * mebibyte, Infinity)).text).toBe('the end')
  const names = await readdir(tmpdir())
  expect(names.filter((name) => name.startsWith('ostler-output-'))).toEqual([])
})

test('a character is never split', async () => {
  await using log = createOutputLog()
  log.append(Buffer.from('aü😀z'))
  expect(await log.read(0, 2)).toEqual({ start: 0, end: 1, text: 'a' })
  expect(await log.read(2, 6)).toEqual({ start: 3, end: 3, text: '' })
  expect(await log.read(1, 8)).toEqual({ start: 1, end: 8, text: 'ü😀z' })
})

test('the shown end begins with a whole line, if there is a whole line', async () => {
  await using log = createOutputLog()
  const cleaner = createTextCleaner(createRedactor())
  log.append(Buffer.from('first line\nsecond line\nthird'))
  expect(await readOutputEnd(log, { from: 0, bytesMax: 10 }, cleaner)).toEqual({
    text: 'third',
    start: 23,
    end: 28,
  })
  expect(await readOutputEnd(log, { from: 0, bytesMax: 3 }, cleaner)).toEqual({
    text: 'ird',
    start: 25,
    end: 28,
  })
  expect(await readOutputEnd(log, { from: 11, bytesMax: 100 }, cleaner)).toEqual({
    text: 'second line\nthird',
    start: 11,
    end: 28,
  })
})

test('a page ends with a whole line, if there is a whole line', async () => {
  await using log = createOutputLog()
  const cleaner = createTextCleaner(createRedactor())
  log.append(Buffer.from('eins\nzwöi\ndrei'))
  expect(await readOutputFrom(log, { from: 0, bytesMax: 7 }, cleaner)).toEqual({
    text: 'eins\n',
    start: 0,
    end: 5,
  })
  expect(await readOutputFrom(log, { from: 5, bytesMax: 8 }, cleaner)).toEqual({
    text: 'zwöi\n',
    start: 5,
    end: 11,
  })
  expect(await readOutputFrom(log, { from: 11, bytesMax: 3 }, cleaner)).toEqual({
    text: 'dre',
    start: 11,
    end: 14,
  })
  expect(await readOutputFrom(log, { from: 11, bytesMax: 8 }, cleaner)).toEqual({
    text: 'drei',
    start: 11,
    end: 15,
  })
})

test('no part of a secret is left where a piece begins', async () => {
  await using log = createOutputLog()
  const redactor = createRedactor()
  redactor.add('correct-horse-battery')
  const cleaner = createTextCleaner(redactor)
  log.append(Buffer.from('the password is correct-horse-battery, really'))
  const shown = await readOutputFrom(log, { from: 24, bytesMax: 100 }, cleaner)
  expect(shown.text).not.toContain('battery')
  expect(shown.text).toContain(', really')
  expect((await readOutputFrom(log, { from: 37, bytesMax: 100 }, cleaner)).text).toBe(', really')
})

test('no beginning of a secret is left where a command has not printed the rest, or a page ends', async () => {
  await using log = createOutputLog()
  const redactor = createRedactor()
  redactor.add('correct-horse-battery')
  redactor.add('battery-of-lights')
  const cleaner = createTextCleaner(redactor)
  log.append(Buffer.from('the password is correct-horse'))
  const open = { from: 0, bytesMax: 100, isOpen: true }
  expect(await readOutputEnd(log, open, cleaner)).toEqual({ text: 'the password is ', start: 0, end: 16 })
  expect(await readOutputFrom(log, open, cleaner)).toEqual({ text: 'the password is ', start: 0, end: 16 })
  expect((await readOutputEnd(log, { from: 0, bytesMax: 100 }, cleaner)).end).toBe(29)
  log.append(Buffer.from('-battery'))
  // Here one secret ends, and another may begin. Neither is split.
  expect((await readOutputFrom(log, open, cleaner)).text).toBe('the password is ')
  log.append(Buffer.from(', really'))
  const page = await readOutputFrom(log, { from: 0, bytesMax: 20 }, cleaner)
  expect(page).toEqual({ text: 'the password is ', start: 0, end: 16 })
  expect(await readOutputFrom(log, { from: page.end, bytesMax: 100 }, cleaner)).toMatchObject({
    text: 'correct-horse-battery, really',
  })
})
