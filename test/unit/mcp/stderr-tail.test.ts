import { describe, expect, it } from 'vitest'
import { createStderrTail } from '../../../packages/agent-api/src/mcp/transports/stderr-tail.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

const redactor = createRedactor()
redactor.add('hush-hush-hush')

describe('the end of a server’s stderr output', () => {
  it('has the time of each line: when its first byte came', () => {
    let time = 0
    const tail = createStderrTail(() => time)
    const write = (text: string, at: number) => {
      time = at
      tail.push(Buffer.from(text))
    }
    write('one\ntwo\n\nthr', 1_000)
    write('ee\n\u001b[31mfour\u001b[0m hush-hush-hush', 2_000)
    write('\nfive', 3_000)
    expect(tail.lines(redactor).map(({ at, text }) => [Date.parse(at), text])).toEqual([
      [1_000, 'one'],
      [1_000, 'two'],
      [1_000, 'three'],
      [2_000, 'four [redacted]'],
      [3_000, 'five'],
    ])
    expect(tail.lines(redactor, 2).map(({ text }) => text)).toEqual(['four [redacted]', 'five'])
  })

  it.each([
    ['single bytes', 1],
    ['chunks', 5_000],
    ['chunks larger than what is kept', 700_000],
  ])('is kept of %s', (_, size) => {
    let time = 0
    const tail = createStderrTail(() => ++time)
    const all = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `line ${index}\n`).join(''))
    for (let at = 0; at < all.length; at += size) tail.push(all.subarray(at, at + size))
    const lines = tail.lines(redactor, 1_000)
    expect(lines.map(({ text }) => text)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `line ${59_000 + index}`),
    )
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted())
  })

  it('cuts long lines, and keeps a bounded part of them', () => {
    const tail = createStderrTail()
    for (let count = 0; count < 100; count++) tail.push(Buffer.alloc(10_000, 'x'))
    expect(tail.lines(redactor).map(({ text }) => text.length)).toEqual([401])
    expect(createStderrTail().lines(redactor)).toEqual([])
  })
})
