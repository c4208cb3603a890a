import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../../../packages/agent-api/src/messages/tool.ts'
import { schemaLosses } from '../../../../../packages/cli/src/commands/mcp/schema-losses.ts'

const text = { type: 'string' }

test.each<[string, JsonSchema, JsonSchema, object[]]>([
  ['nothing', { type: 'object', properties: { a: text } }, { properties: { a: text }, type: 'object' }, []],
  ['a keyword', { ...text, pattern: 'a' }, text, [{ path: '', keyword: 'pattern', change: 'dropped' }]],
  [
    'one of a property',
    { properties: { a: { ...text, format: 'uri' } } },
    { properties: { a: text } },
    [{ path: 'properties.a', keyword: 'format', change: 'dropped' }],
  ],
  [
    'a value',
    { type: ['string', 'null'] },
    { type: 'string' },
    [{ path: '', keyword: 'type', change: 'changed' }],
  ],
  [
    'one in a list',
    { anyOf: [text, { const: 1 }] },
    { anyOf: [text, {}] },
    [{ path: 'anyOf.1', keyword: 'const', change: 'dropped' }],
  ],
  [
    'definitions that are written out',
    { $defs: { a: text }, properties: { a: { $ref: '#/$defs/a' } } },
    { properties: { a: text } },
    [],
  ],
  ['extensions', { ...text, 'x-mcp-header': 'Region' }, text, []],
])('%s', (_, original, received, losses) => {
  expect(schemaLosses(original, received)).toEqual(losses)
})

test('the list is bounded', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`p${index}`, { ...text, pattern: 'a' }]),
  )
  expect(
    schemaLosses(
      { properties },
      { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, text])) },
    ),
  ).toHaveLength(50)
})
