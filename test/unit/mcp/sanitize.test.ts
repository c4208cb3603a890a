import { describe, expect, test } from 'vitest'
import { cleanListed } from '../../../packages/agent-api/src/mcp/clean-listed.ts'
import * as sanitize from '../../../packages/agent-api/src/mcp/sanitize.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { stripHiddenLine } from '../../../packages/agent-api/src/base/strip-hidden.ts'
import { vastSchemas } from '../../support/vast-schemas.ts'

const clean = (part: unknown) => cleanListed(part, createRedactor())
const sanitizeTools = (raw: readonly unknown[]) => sanitize.sanitizeTools(raw, clean)
const tool = (more: Record<string, unknown> = {}) => ({
  name: 'tool',
  description: 'd',
  inputSchema: { type: 'object' },
  ...more,
})
const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) })

/** Deeper than recursion can handle. */
function bottomless(): unknown {
  let value: Record<string, unknown> = { type: 'object' }
  for (let i = 0; i < 200_000; i++) value = { type: 'object', a: value }
  return value
}

describe('tools left out', () => {
  test.each([
    ['null', null, 'tool number 1 left out: it is not an object'],
    ['a list', [], 'tool number 1 left out: it is not an object'],
    ['a numeric name', tool({ name: 7 }), 'tool number 1 left out: its name is not a string'],
    ['no name', tool({ name: undefined }), 'tool number 1 left out: its name is not a string'],
    ['an empty name', tool({ name: '' }), 'tool number 1 left out: its name is empty'],
    ...[
      'a\0b',
      'rm\u202etxt.exe',
      'to\u200bol',
      'tool\u{e0041}',
      'tool\u001b[31m',
      'tool\nother',
      'tool\u2800x',
    ].map((name): [string, object, string] => [
      `a name with hidden characters: ${JSON.stringify(name)}`,
      tool({ name }),
      `tool ${JSON.stringify(stripHiddenLine(name))} left out: its name has hidden characters or a line break`,
    ]),
    ['a name of blanks', tool({ name: ' \u200b' }), 'tool number 1 left out: its name is empty'],
    [
      'a name without end',
      tool({ name: 'n'.repeat(513) }),
      `tool "${'n'.repeat(80)}" left out: its name is longer than 512 characters`,
    ],
    [
      'no schema',
      tool({ inputSchema: undefined }),
      'tool "tool" left out: its input schema is not an object',
    ],
    [
      'a boolean schema',
      tool({ inputSchema: true }),
      'tool "tool" left out: its input schema is not an object',
    ],
    [
      'a list as schema',
      tool({ inputSchema: [] }),
      'tool "tool" left out: its input schema is not an object',
    ],
    [
      'a schema of a string',
      tool({ inputSchema: { type: 'string' } }),
      'tool "tool" left out: its input schema is not an object schema',
    ],
    [
      'a deep schema',
      tool({ inputSchema: nested(33) }),
      'tool "tool" left out: its input schema is nested deeper than 32',
    ],
    [
      'a bottomless schema',
      tool({ inputSchema: bottomless() }),
      'tool "tool" left out: its input schema is nested deeper than 32',
    ],
    [
      'a large schema',
      tool({ inputSchema: { type: 'object', x: 'y'.repeat(70_000) } }),
      'tool "tool" left out: its input schema is larger than 64 KiB',
    ],
    [
      'hidden characters in a choice',
      tool({ inputSchema: { type: 'object', properties: { a: { enum: ['x', 'y\u200b'] } } } }),
      'tool "tool" left out: its input schema has hidden characters in a name or in a value that a call must repeat',
    ],
    [
      'hidden characters in the name of an argument',
      tool({ inputSchema: { type: 'object', properties: { 'a\u200b': {} } } }),
      'tool "tool" left out: its input schema has hidden characters in a name or in a value that a call must repeat',
    ],
    [
      'hidden characters in a required name',
      tool({ inputSchema: { type: 'object', required: ['a\u202e'] } }),
      'tool "tool" left out: its input schema has hidden characters in a name or in a value that a call must repeat',
    ],
  ])('%s', async (_case, raw, warning) => {
    const { items, warnings } = await sanitizeTools([raw, tool({ name: 'other' })])
    expect(items.map((item) => item.name)).toEqual(['other'])
    expect(warnings).toEqual([warning])
  })

  test.each(Object.entries(vastSchemas))('%s', async (_case, inputSchema) => {
    const { items, warnings } = await sanitizeTools([tool({ inputSchema }), tool({ name: 'other' })])
    expect(items.map((item) => item.name)).toEqual(['other'])
    expect(warnings).toEqual([
      'tool "tool" left out: its input schema has more than 100000 values when its references are expanded',
    ])
  })

  test('a name that is already taken, or looks like one', async () => {
    const { items, warnings } = await sanitizeTools([
      tool(),
      tool(),
      tool({ name: ' tool' }),
      tool({ name: 'Tool' }),
    ])
    expect(items.map((item) => item.name)).toEqual(['tool', 'Tool'])
    expect(warnings).toEqual(
      Array.from({ length: 2 }, () => 'tool "tool" left out: another one has the same name'),
    )
  })

  test('items over the limit, with one warning', async () => {
    const { items, warnings } = await sanitizeTools(
      Array.from({ length: 2_500 }, (_, index) => tool({ name: `tool-${index}` })),
    )
    expect(items).toHaveLength(2_000)
    expect(warnings).toEqual(['only the first 2000 tools are used, the rest is left out'])
  })

  test('with a limited number of warnings', async () => {
    expect((await sanitizeTools(Array.from({ length: 1_000 }, () => null))).warnings).toHaveLength(50)
  })
})

describe('tools kept', () => {
  test('unchanged', async () => {
    const raw = {
      name: 'read file/ä',
      title: 'Read',
      description: 'Reads\n\ta file',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', pattern: '^(a+)+$' } },
        required: ['path'],
        additionalProperties: false,
      },
      outputSchema: { type: 'object' },
      annotations: {
        title: 'T',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: 'yes',
        extra: 1,
      },
    }
    expect(await sanitizeTools([raw])).toEqual({
      items: [
        {
          name: 'read file/ä',
          title: 'Read',
          description: 'Reads\n\ta file',
          inputSchema: raw.inputSchema,
          outputSchema: { type: 'object' },
          annotations: { title: 'T', readOnlyHint: true, destructiveHint: false },
        },
      ],
      warnings: [],
    })
  })

  test.each([
    ['no description', { description: undefined }, { description: '' }],
    ['null as description', { description: null }, { description: '' }],
    ['no type in the schema', { inputSchema: {} }, { inputSchema: { type: 'object' } }],
    [
      'the deepest schema',
      { inputSchema: nested(31) },
      { inputSchema: { type: 'object', ...(nested(31) as object) } },
    ],
    ['a title among the annotations', { annotations: { title: 'Nice' } }, { title: 'Nice' }],
    ['invalid annotations', { annotations: 'trust me' }, {}],
    ['a color in the title', { title: '\u001b[31mRed\u001b[0m\nalert' }, { title: 'Red alert' }],
    ['tags in the description', { description: 'ok\u{e0049}\u{e0047}' }, { description: 'ok' }],
  ])('%s', async (_case, given, expected) => {
    const { items, warnings } = await sanitizeTools([tool(given)])
    expect(items).toMatchObject([expected])
    expect(warnings).toEqual([])
  })

  test('with a recursive schema', async () => {
    const node = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } }, parent: { $ref: '#' } },
    }
    expect((await sanitizeTools([tool({ inputSchema: { ...node, $defs: { node } } })])).warnings).toEqual([])
  })

  test('with every text in their schemas cleaned that is only read', async () => {
    const hidden = 'a\u200bb'
    const inputSchema = {
      type: 'object',
      properties: {
        description: { description: hidden, title: hidden, enum: ['a'], default: hidden, examples: [hidden] },
      },
    }
    const [item] = (await sanitizeTools([tool({ inputSchema })])).items
    expect(item?.inputSchema).toEqual({
      type: 'object',
      properties: {
        description: { description: 'ab', title: 'ab', enum: ['a'], default: 'ab', examples: ['ab'] },
      },
    })
  })

  test('with a description cut to 16 KiB at a character boundary', async () => {
    const [item] = (await sanitizeTools([tool({ description: 'ä'.repeat(1_000_000) })])).items
    expect(Buffer.byteLength(item?.description ?? '')).toBeLessThanOrEqual(16 * 1024)
    expect(item?.description).toMatch(/^ä+…$/)
  })
})

test('prompts are cleaned like tools', async () => {
  const { items, warnings } = await sanitize.sanitizePrompts(
    [
      {
        name: 'p',
        title: 'T\u200b',
        description: 'd',
        arguments: [{ name: 'a', description: 'x', required: true }, { name: 'b' }, { name: 7 }, null],
      },
      { name: 'bare' },
      { description: 'nameless' },
    ],
    clean,
  )
  expect(items).toEqual([
    {
      name: 'p',
      title: 'T',
      description: 'd',
      arguments: [
        { name: 'a', description: 'x', required: true },
        { name: 'b', required: false },
      ],
    },
    { name: 'bare', arguments: [] },
  ])
  expect(warnings).toEqual(['prompt number 3 left out: its name is not a string'])
})
