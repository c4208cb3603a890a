import fc from 'fast-check'
import { expect, it } from 'vitest'
import { measureJson, shortenJson } from '../../../packages/agent-api/src/mcp/shorten-json.ts'

it('leaves a short value as it is, and counts about its length', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown
      expect(shortenJson(plain, 1_000_000)).toEqual(plain)
      const { chars, isWhole } = measureJson(plain, 1_000_000)
      expect(isWhole).toBe(true)
      expect(Math.abs(chars - JSON.stringify(plain).length)).toBeLessThanOrEqual(JSON.stringify(plain).length)
    }),
  )
})

it.each([
  ['a long text', 'x'.repeat(10_000)],
  ['a long list', Array.from({ length: 30_000 }, () => 1)],
  [
    'an object with many keys',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, index])),
  ],
  ['a long key', { ['k'.repeat(10_000)]: 1 }],
  ['a deep value', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown],
])('cuts %s', (_, value) => {
  expect(JSON.stringify(shortenJson(value, 1_000)).length).toBeLessThan(3_000)
  expect(measureJson(value, 100).chars).toBeLessThanOrEqual(101_000)
})
