import { expect, test } from 'vitest'
import { describeSizes } from '../../../packages/agent-api/src/messages/tool-size.ts'

test.each([
  [[], '0 tokens'],
  [[[1, 0]], '1 token'],
  [[[312, 0]], '312 tokens'],
  [
    [
      [20, 280],
      [31, 400],
    ],
    '51 tokens, 680 saved',
  ],
  [[[999, 1_049]], '999 tokens, 1,000 saved'],
  [[[13_149, 41_951]], '13,100 tokens, 42,000 saved'],
] as const)('the sizes %j are shown as %s', (sizes, text) => {
  expect(describeSizes(sizes.map(([sent, saved]) => ({ sent, saved })))).toBe(text)
})
