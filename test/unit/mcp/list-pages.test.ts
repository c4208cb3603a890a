import { expect, test } from 'vitest'
import { jsonBytes } from '../../../packages/agent-api/src/mcp/list-pages.ts'

test.each([
  ['a number', 1, 8],
  ['a text', 'äb', 8 + 3],
  ['nothing', null, 8],
  ['a list', [1, 'ab'], 8 + 2 * 8 + 2],
  ['an object', { key: { inner: 'x' } }, 8 + 8 + 3 + 8 + 5 + 1],
])('%s is counted with its text', (_name, value, bytes) => {
  expect(jsonBytes(value, 1_000)).toBe(bytes)
})

test('a value of any depth is counted', () => {
  let value: unknown = 1
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  expect(jsonBytes(value, 10_000_000)).toBe(100_001 * 8)
})

test('counting stops over the limit', () => {
  const unread = {
    get key(): never {
      throw new Error('was read')
    },
  }
  expect(jsonBytes([unread, 'x'.repeat(100)], 50)).toBeGreaterThan(50)
})
