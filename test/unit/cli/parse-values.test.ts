import { expect, test } from 'vitest'
import { parseCount, parsePort, parseTimeout } from '../../../packages/cli/src/command-line/parse-values.ts'

test.each([
  [undefined, 0],
  ['0', 0],
  ['65535', 65_535],
])('the port %s is %d', (text, expected) => {
  expect(parsePort(text)).toBe(expected)
})

test.each(['65536', '100000', '-1', '1.5', ' 1', 'http'])('%j is not a port', (text) => {
  expect(() => parsePort(text)).toThrow(`'${text}' is not a port`)
})

test.each([
  [undefined, undefined],
  ['30s', 30_000],
  ['PT1M', 60_000],
])('the timeout %s is %s ms', (text, expected) => {
  expect(parseTimeout(text)).toBe(expected)
})

test.each(['soon', '0s', '25h'])('%j is not a timeout', (text) => {
  expect(() => parseTimeout(text)).toThrow(`--timeout must be a duration like 30s or PT1M, and is '${text}'`)
})

test('a number is between 1 and the maximum', () => {
  expect(parseCount('limit', '1')).toBe(1)
  expect(parseCount('limit', '7', 7)).toBe(7)
  for (const text of ['0', '8', '-1', '1e1', '9'.repeat(16)])
    expect(() => parseCount('limit', text, 7)).toThrow(`--limit must be a number from 1 to 7, and is '${text}'`)
})
