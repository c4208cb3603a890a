import { OstlerError } from '@ostler/agent-api'
import type { DiscoveredTool } from '@ostler/workbench'
import { expect, test } from 'vitest'
import { findTool, toSummary, toToolRows } from '../../../../../packages/cli/src/commands/mcp/tool-rows.ts'

const tool = (name: string, inputSchema: object = {}, description = ''): DiscoveredTool =>
  ({ name, description, inputSchema }) as unknown as DiscoveredTool

test.each([
  [undefined, undefined, ''],
  ['Title', undefined, 'Title'],
  ['Title', '', 'Title'],
  ['Title', '  First line\nsecond line', 'First line'],
  [undefined, 'x'.repeat(100), 'x'.repeat(100)],
  [undefined, 'x'.repeat(101), `${'x'.repeat(100)}…`],
])('of the title %j and the description %j one line is shown', (title, description, expected) => {
  expect(toSummary(title, description)).toBe(expected)
})

test('optional arguments have a question mark', () => {
  const properties = { path: {}, line: {} }
  const [, ...rows] = toToolRows([
    tool('read', { properties, required: ['path'] }, 'Reads'),
    tool('list', { properties, required: 'path' }),
    tool('ping'),
    tool('odd', { properties: null }),
  ])
  expect(rows).toEqual([
    ['read', 'path line?', 'Reads'],
    ['list', 'path? line?', ''],
    ['ping', '', ''],
    ['odd', '', ''],
  ])
})

test('a tool is found by its whole name, and a similar name is suggested', () => {
  const tools = [tool('read_file'), tool('write_file')]
  expect(findTool(tools, 'files', 'write_file')).toBe(tools[1])
  expect(() => findTool(tools, 'files', 'read_fil')).toThrow(
    "The server 'files' has no tool 'read_fil'; did you mean 'read_file'?",
  )
  expect(() => findTool(tools, 'files', 'dance')).toThrow(
    new OstlerError('mcp.unknown_tool', "The server 'files' has no tool 'dance'."),
  )
})
