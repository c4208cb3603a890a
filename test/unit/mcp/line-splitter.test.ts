import { describe, expect, test } from 'vitest'
import {
  createLineSplitter,
  type OversizedLine,
} from '../../../packages/agent-api/src/mcp/transports/line-splitter.ts'

const lineBytesMax = 10_000
const limit = 'is over 9.8 KiB'

function split(chunks: Iterable<string>, isHandled = false) {
  const lines: string[] = []
  const oversized: OversizedLine[] = []
  const splitter = createLineSplitter({
    lineBytesMax,
    onLine: (line) => lines.push(line),
    onOversized(line) {
      oversized.push(line)
      return isHandled
    },
  })
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.flush()
  return { lines, oversized }
}

describe('lines', () => {
  const text = 'first\n\nsecond äöü\r\nlast'
  test.each([1, 2, 5, text.length])('are the same in pieces of %i bytes', (size) => {
    const bytes = Buffer.from(text)
    const lines: string[] = []
    const splitter = createLineSplitter({
      lineBytesMax,
      onLine: (line) => lines.push(line),
      onOversized: () => true,
    })
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
    splitter.flush()
    expect(lines).toEqual(['first', 'second äöü\r', 'last'])
  })

  test('may be as long as the limit', () => {
    const line = 'x'.repeat(lineBytesMax)
    expect(split([`${line}\n${line}`])).toEqual({ lines: [line, line], oversized: [] })
  })
})

describe('an oversized line', () => {
  const long = `head${'x'.repeat(lineBytesMax)}`

  test.each([
    ['in one piece', [`${long}tail\nnext`]],
    ['in many', [...`${long}tail\nnext`]],
  ])('is reported at once by its head, and at its end by both: %s', (_name, chunks) => {
    const { lines, oversized } = split(chunks)
    expect(lines).toEqual(['next'])
    expect(oversized).toEqual([
      { limit, head: expect.stringMatching(/^head/), tail: undefined },
      { limit, head: expect.stringMatching(/^head/), tail: expect.stringMatching(/tail$/) },
    ])
  })

  test('is one with too many values, counted from its start', () => {
    const lines: string[] = []
    const limits: string[] = []
    const splitter = createLineSplitter({
      lineBytesMax: 1_000_000,
      onLine: (line) => lines.push(line),
      onOversized: (line) => limits.push(line.limit) > 0,
    })
    const values = (count: number) => Buffer.from(`[${'1,'.repeat(count - 2)}1]\n`)
    for (const line of [values(100_000), values(60_000), values(100_001), values(60_000)])
      for (const half of [line.subarray(0, 50_000), line.subarray(50_000)]) splitter.push(half)
    expect(lines.map(({ length }) => length)).toEqual([199_999, 119_999, 119_999])
    expect(limits).toEqual(['holds more than 100000 values'])
  })

  test('is reported once when its head was enough', () => {
    expect(split([long, 'tail\n', long, '\n'], true).oversized).toHaveLength(2)
  })
})
