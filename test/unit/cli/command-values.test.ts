import { expect, test } from 'vitest'
import { ArgumentsError, parsePairs } from '../../../packages/cli/src/commands/mcp/parse-arguments.ts'
import { formatBytes, formatDuration, formatTime } from '../../../packages/cli/src/terminal/format-quantity.ts'
import { parseSince } from '../../../packages/cli/src/command-line/parse-values.ts'
import { toPrintedJson } from '../../../packages/cli/src/terminal/print-json.ts'

const now = new Date('2026-11-18T12:00:00Z')
const local = (text: string) => new Date(text).toISOString()

test.each([
  ['90s', '2026-11-18T11:58:30.000Z'],
  ['30m', '2026-11-18T11:30:00.000Z'],
  ['2h', '2026-11-18T10:00:00.000Z'],
  ['7D', '2026-11-11T12:00:00.000Z'],
  ['2w', '2026-11-04T12:00:00.000Z'],
  ['2026-11-01', local('2026-11-01T00:00:00')],
  ['2026-11-01T08:30', local('2026-11-01T08:30:00')],
  ['2026-11-01 08:30', local('2026-11-01T08:30:00')],
  ['2026-11-01T08:30Z', '2026-11-01T08:30:00.000Z'],
  ['2026-13-01', undefined],
  ['5', undefined],
  ['2y', undefined],
  ['', undefined],
  ['11/01/2026', undefined],
])('since %s', (text, expected) => {
  expect(parseSince(text, now)).toBe(expected)
})

test('times are short: the day is shown only if it is not today', () => {
  const today = new Date(2026, 10, 18, 9, 5, 7)
  expect(formatTime(today.toISOString(), new Date(2026, 10, 18, 23))).toBe('09:05:07')
  expect(formatTime(today.toISOString(), new Date(2026, 10, 19))).toBe('2026-11-18 09:05')
  expect(formatTime('never')).toBe('never')
})

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_960, '1 min 0 s'],
  [61_000, '1 min 1 s'],
  [3_720_000, '1 h 2 min'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('bytes', () => {
  expect([0, 1_023, 1_024, 1_048_576].map(formatBytes)).toEqual(['0 bytes', '1023 bytes', '1.0 KiB', '1.0 MiB'])
})

test('printed JSON parses to the same value, without control characters', () => {
  const value = { a: '\u001b[2J\u009b\u202e\u{e0041}é𝄞\n', 'k\u0007': 1 }
  expect(toPrintedJson(value)).not.toMatch(/[^\P{C}\n]/u)
  expect(toPrintedJson(value)).toContain('é𝄞')
  expect(JSON.parse(toPrintedJson(value))).toEqual(value)
})

const schema = {
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    maybe: { type: ['null', 'number'] },
    either: { type: ['number', 'string'] },
    on: { type: 'boolean' },
    list: { type: 'array', items: { type: 'number' } },
    words: { type: 'array', items: { type: 'string' } },
    object: { type: 'object' },
  },
}

test.each([
  [['text=5'], { text: '5' }],
  [['text=a=b'], { text: 'a=b' }],
  [['text='], { text: '' }],
  [['other=5'], { other: '5' }],
  [['other:=5'], { other: 5 }],
  [['count=5', 'on=true'], { count: 5, on: true }],
  [['maybe=1.5'], { maybe: 1.5 }],
  [['either=5'], { either: '5' }],
  [['list=1', 'list=2'], { list: [1, 2] }],
  [['list=[1,2]'], { list: [1, 2] }],
  [['words=a', 'words=b c'], { words: ['a', 'b c'] }],
  [['object={"a":1}'], { object: { a: 1 } }],
  [['toString=x'], { toString: 'x' }],
  [[], {}],
])('arguments %j', (pairs, expected) => {
  expect(parsePairs(pairs, schema)).toEqual(expected)
})

test.each([[['text']], [['=x']], [['count=many']], [['other:=x']], [['text=a', 'text=b']]])('arguments %j are wrong', (pairs) => {
  expect(() => parsePairs(pairs, schema)).toThrow(ArgumentsError)
})
