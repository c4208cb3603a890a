import { expect, test } from 'vitest'
import { mergeToolConfig } from '../../../packages/agent-api/src/policy/tool-config.ts'
import {
  cutText,
  describeTools,
  firstSentence,
  listWaiting,
} from '../../../packages/agent-api/src/tools/list-waiting.ts'
import type { OfferedTool } from '../../../packages/agent-api/src/tools/offered-tool.ts'

const named = (
  name: string,
  description: string,
  inputSchema: object = { type: 'object' },
  server: string | null = 'shop',
) => ({
  name,
  entry: {
    tool: {
      ref: { server, tool: name },
      description,
      inputSchema,
      kind: 'other',
      execute: () => Promise.reject(new Error()),
    },
    config: mergeToolConfig([]),
    home: { type: 'local' },
  } as OfferedTool,
})

test('tools are grouped by server, with their first sentences', () => {
  const tools = [
    named('a__x', 'Does x. And more.', {}, 'a'),
    named('b__y', '', {}, 'b'),
    named('a__z', 'Does z', {}, 'a'),
    named('own', 'Is local.', {}, null),
  ]
  expect(listWaiting(tools)).toBe(
    "Server 'a':\n- a__x: Does x.\n- a__z: Does z\nServer 'b':\n- b__y\nOthers:\n- own: Is local.",
  )
})

test('if there is not enough room, long sentences are cut at the same length, and short ones stay', () => {
  const tools = Array.from({ length: 200 }, (_, index) =>
    named(`shop__tool_${index}`, index % 2 === 0 ? 'Short.' : `${'long '.repeat(60)}end`),
  )
  const list = listWaiting(tools)
  expect(JSON.stringify(list).length).toBeLessThanOrEqual(13_500)
  expect(JSON.stringify(list).length).toBeGreaterThan(11_000)
  const [short, long] = list.split('\n').slice(1, 3)
  expect(short).toBe('- shop__tool_0: Short.')
  expect(long).toMatch(/^- shop__tool_1: (?:long )+l?o?n?g?…$/)
})

test('a definition without enough room takes none from the others', () => {
  const large = { type: 'object', description: 'x'.repeat(20_000) }
  const text = describeTools([named('large', 'Is large.', large), named('small', 'Is small.')])
  expect(text).toBe(
    '- large: Is large. [To read its arguments, search for its name alone.]\n- small: Is small.\n  Arguments: {"type":"object"}',
  )
})

test('names are never left out, even if they alone take more', () => {
  const tools = Array.from({ length: 2_000 }, (_, index) => named(`shop__tool_${index}`, 'Does something.'))
  const list = listWaiting(tools)
  expect(list.split('\n')).toHaveLength(2_001)
  expect(list).not.toContain('Does')
})

test.each([
  ['One. Two.', 'One.'],
  ['Version 1.2 of it! Two', 'Version 1.2 of it!'],
  ['  No end\nsecond line', 'No end'],
  ['', ''],
  ['x'.repeat(300), 'x'.repeat(200)],
])('the first sentence of %j', (description, expected) => expect(firstSentence(description)).toBe(expected))

test('a text is not cut within a character', () => {
  expect(cutText('abc', 3)).toBe('abc')
  expect(cutText('ab cd', 4)).toBe('ab…')
  expect(cutText('😀😀😀', 4).isWellFormed()).toBe(true)
})

test('schemas are described as far as there is room', () => {
  const large = { type: 'object', description: 'x'.repeat(9_000) }
  const text = describeTools([
    named('a', 'First. More.', large),
    named('b', 'Second. More.', large),
    named('c', 'Third. More.'),
  ])
  expect(text).toContain('- a: First. More.\n  Arguments: {"type":"object"')
  expect(text).toContain('\n- b: Second. [To read')
  expect(text.length).toBeLessThan(16_100)
})

test('a tool that is asked for alone has its schema, however long', () => {
  const large = { type: 'object', description: 'x'.repeat(60_000) }
  expect(describeTools([named('large', 'Is large.', large)])).toBe(
    `- large: Is large.\n  Arguments: ${JSON.stringify(large)}`,
  )
})
