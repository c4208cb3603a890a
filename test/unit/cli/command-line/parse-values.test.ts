import { expect, test } from 'vitest'
import {
  parseCount,
  parsePort,
  parseSince,
  parseTimeout,
  requireUrl,
} from '../../../../packages/cli/src/command-line/parse-values.ts'

test.each([
  [undefined, 0],
  ['0', 0],
  ['65535', 65_535],
])('the port %s is %d', (text, expected) => {
  expect(parsePort('port', text)).toBe(expected)
})

test.each(['65536', '100000', '-1', '1.5', ' 1', 'http'])('%j is not a port', (text) => {
  expect(() => parsePort('callback-port', text)).toThrow(
    `--callback-port must be a number from 0 to 65535, but is '${text}'`,
  )
})

test.each([
  [undefined, undefined],
  ['30s', 30_000],
  ['PT1M', 60_000],
])('the timeout %s is %s ms', (text, expected) => {
  expect(parseTimeout(text)).toBe(expected)
})

test.each(['soon', '0s', '25h'])('%j is not a timeout', (text) => {
  expect(() => parseTimeout(text)).toThrow(`--timeout must be a duration like 30s or PT1M, but is '${text}'`)
})

test('a number is between 1 and the maximum', () => {
  expect(parseCount('limit', '1')).toBe(1)
  expect(parseCount('limit', '7', 7)).toBe(7)
  for (const text of ['0', '8', '-1', '1e1', '9'.repeat(16)])
    expect(() => parseCount('limit', text, 7)).toThrow(
      `--limit must be a number from 1 to 7, but is '${text}'`,
    )
})

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

test.each(['notaurl', '/x', '', 'https://', 'localhost:80'])('%j is no URL', (text) => {
  expect(() => requireUrl('issuer', text)).toThrow(
    `--issuer must be a URL like https://login.example, but is '${text}'`,
  )
})

test('a URL is accepted, and so is a missing one', () => {
  for (const text of ['https://login.example', 'http://127.0.0.1:80/x', undefined])
    expect(() => requireUrl('issuer', text)).not.toThrow()
})
