import { expect, test } from 'vitest'
import { fence } from '../../../packages/acp-server/src/fence.ts'

test.each([
  ['plain', '```\nplain\n```'],
  ['a ``` fence', '````\na ``` fence\n````'],
  ['`````', '``````\n`````\n``````'],
])('%j cannot leave its block', (content, expected) => {
  expect(fence(content)).toBe(expected)
})
