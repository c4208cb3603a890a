import { expect, test } from 'vitest'
import { toPrintedJson } from '../../../../packages/cli/src/terminal/print.ts'

test('printed JSON parses to the same value, without control characters', () => {
  const value = { a: '\u001b[2J\u009b\u202e\u{e0041}é𝄞\n', 'k\u0007': 1 }
  expect(toPrintedJson(value)).not.toMatch(/[^\P{C}\n]/u)
  expect(toPrintedJson(value)).toContain('é𝄞')
  expect(JSON.parse(toPrintedJson(value))).toEqual(value)
})
