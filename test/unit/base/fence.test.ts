import { expect, test } from 'vitest'
import { fence } from '../../../packages/agent-api/src/base/markdown-text.ts'

test.each([
  ['plain', '```\nplain\n```'],
  ['a ``` fence', '````\na ``` fence\n````'],
  ['`````', '``````\n`````\n``````'],
])('%j cannot leave its block', (content, expected) => {
  expect(fence(content)).toBe(expected)
})

test('shows hidden characters as JSON escapes', () => {
  const value = { text: 'a\u200bb\u202e\u{e0041}' }
  expect(fence(JSON.stringify(value))).toBe(
    `\`\`\`\n${String.raw`{"text":"a\u200bb\u202e\udb40\udc41"}`}\n\`\`\``,
  )
})
