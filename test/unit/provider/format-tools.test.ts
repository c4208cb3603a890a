import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatToolsForProvider } from '../../../packages/agent-api/src/provider/format-tools.ts'
import { vendors, type Vendor } from '../../../packages/agent-api/src/provider/model.ts'
import { manyValues, vastSchemas } from '../../support/vast-schemas.ts'

type Schema = Record<string, unknown>

function format(inputSchema: unknown, vendor: Vendor): Schema {
  const [tool] = formatToolsForProvider(
    [{ name: 't', description: 'd', inputSchema: inputSchema as Schema }],
    vendor,
  )
  return tool?.inputSchema as Schema
}

const everyVendor = [...vendors]
const plainVendors: Vendor[] = ['google', 'openai-compatible']
const string = { type: 'string' }
const number = { type: 'number' }

function object(properties: Schema, required?: string[]): Schema {
  return { type: 'object', properties, ...(required && { required }) }
}

describe.each<[string, Schema, Schema, Vendor[]?]>([
  [
    'an ordinary schema stays as it is',
    object({ a: { type: 'string', description: 'A', enum: ['x', 'y'] } }, ['a']),
    object({ a: { type: 'string', description: 'A', enum: ['x', 'y'] } }, ['a']),
  ],
  ['nothing becomes an object', {}, object({})],
  ['no properties become none', { type: 'object' }, object({})],
  ['a root that is no object becomes one', { type: 'string', enum: ['a'] }, object({})],
  [
    'a root that may be null may not',
    { type: ['object', 'null'], properties: { a: string } },
    object({ a: string }),
  ],
  [
    'the dialect is not named',
    { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', $comment: 'y', ...object({ a: string }) },
    object({ a: string }),
  ],
  [
    'unknown words go',
    object({ a: { type: 'string', 'x-order': 1, nullable: true, deprecated: true } }),
    object({ a: string }),
  ],
  [
    'references are written out',
    {
      ...object({ a: { $ref: '#/$defs/A', description: 'mine' } }),
      $defs: { A: { type: 'number', description: 'theirs' } },
    },
    object({ a: { type: 'number', description: 'mine' } }),
  ],
  [
    'by the older word too',
    { ...object({ a: { $ref: '#/definitions/A~1B' } }), definitions: { 'A/B': string } },
    object({ a: string }),
  ],
  [
    'a reference to nowhere allows anything',
    object({ a: { $ref: '#/$defs/Gone', description: 'd' }, b: { $ref: 'https://example.com/x.json' } }),
    object({ a: { description: 'd' }, b: {} }),
  ],
  [
    'a root reference is followed',
    { $ref: '#/$defs/Root', $defs: { Root: object({ a: string }, ['a']) } },
    object({ a: string }, ['a']),
  ],
  [
    'allOf at the root is merged',
    { allOf: [object({ a: string }, ['a']), object({ b: number }, ['b'])] },
    object({ a: string, b: number }, ['a', 'b']),
  ],
  [
    'anyOf at the root is one set of properties',
    {
      type: 'object',
      anyOf: [object({ a: string, c: number }, ['a', 'c']), object({ b: number, c: number }, ['b', 'c'])],
    },
    object({ a: string, c: number, b: number }, ['c']),
  ],
  [
    'oneOf at the root, told apart by a word',
    {
      oneOf: [
        object({ kind: { const: 'a' }, x: string }, ['kind']),
        object({ kind: { const: 'b' }, y: string }, ['kind']),
      ],
    },
    object({ kind: { enum: ['a', 'b'] }, x: string, y: string }, ['kind']),
    ['anthropic', 'openai', 'offline'],
  ],
  [
    'a property that alternatives describe differently',
    { anyOf: [object({ a: string }), object({ a: number })] },
    object({ a: { anyOf: [string, number] } }),
  ],
  [
    'required names that are not there go',
    object({ a: string }, ['a', 'b', 'a']),
    object({ a: string }, ['a']),
  ],
  [
    'required in the way of draft 3 goes',
    { type: 'object', properties: { a: { type: 'string', required: true } }, required: 'a' },
    object({ a: string }),
  ],
  [
    'bounds in the way of draft 4',
    object({ a: { type: 'number', minimum: 1, exclusiveMinimum: true } }),
    object({ a: { type: 'number', exclusiveMinimum: 1 } }),
    ['anthropic', 'openai'],
  ],
  ['an invalid type', object({ a: { type: 'any', description: 'd' } }), object({ a: { description: 'd' } })],
  ['a property that may be anything', object({ a: true, b: {}, c: false }), object({ a: {}, b: {} })],
  [
    'a list of what',
    object({ a: { type: 'array' } }),
    object({ a: { type: 'array', items: {} } }),
    ['anthropic', 'openai'],
  ],
  [
    'a list of what, for those who insist',
    object({ a: { type: 'array' } }),
    object({ a: { type: 'array', items: string } }),
    plainVendors,
  ],
  [
    'a tuple',
    object({ a: { type: 'array', items: [string, number] } }),
    object({ a: { type: 'array', items: { anyOf: [string, number] } } }),
  ],
  [
    'a name that the vendor refuses is told in words',
    object({ 'a b': string, c: string }, ['a b', 'c']),
    { ...object({ c: string }, ['c']), description: 'Also takes "a b"' },
    ['anthropic'],
  ],
  [
    'const, oneOf and allOf in plain words',
    object({
      a: { const: 'x' },
      b: { oneOf: [string, number] },
      c: { allOf: [{ type: 'string' }, { description: 'd' }] },
    }),
    object({
      a: { type: 'string', enum: ['x'] },
      b: { anyOf: [string, number] },
      c: { type: 'string', description: 'd' },
    }),
    plainVendors,
  ],
  [
    'a pattern in plain words',
    object({ a: { type: 'string', description: 'A', pattern: '^x+$' } }),
    object({ a: { type: 'string', description: 'A. Matches ^x+$' } }),
    plainVendors,
  ],
  [
    'a pattern with look-around',
    object({ a: { type: 'string', pattern: '(?=x)y' } }),
    object({ a: string }),
    ['anthropic', 'openai'],
  ],
  [
    'an invalid pattern',
    object({ a: { type: 'string', pattern: '(' } }),
    object({ a: string }),
    ['anthropic', 'openai'],
  ],
  [
    'formats that Gemini does not know',
    object({ a: { type: 'string', format: 'uri' }, b: { type: 'string', format: 'date-time' } }),
    object({ a: string, b: { type: 'string', format: 'date-time' } }),
    ['google'],
  ],
  [
    'choices that Gemini does not take',
    object({ a: { type: 'string', enum: ['', 'x', null] }, b: { enum: [true] } }),
    object({ a: { type: 'string', enum: ['x'] }, b: {} }),
    ['google'],
  ],
  [
    'extra properties, where they are described',
    object({
      a: { type: 'object', additionalProperties: number },
      b: { type: 'object', additionalProperties: false },
    }),
    object({ a: { type: 'object', additionalProperties: number }, b: { type: 'object' } }),
    plainVendors,
  ],
  [
    'a text or nothing',
    object({ a: { type: ['string', 'null'] } }),
    object({ a: { type: ['string', 'null'] } }),
  ],
  [
    'several types are spelt out',
    object({ a: { type: ['string', 'number'], description: 'd' } }),
    object({ a: { description: 'd', anyOf: [string, number] } }),
    plainVendors,
  ],
  [
    'properties called as nothing should be',
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}',
    ) as Schema,
    JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}',
    ) as Schema,
  ],
])('%s', (_, given, expected, only = everyVendor) => {
  test.each(only)('%s', (vendor) => {
    expect(format(given, vendor)).toEqual(expected)
  })
})

describe('a recursive schema', () => {
  const tree = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/Node' } },
    $defs: {
      Node: {
        type: 'object',
        properties: { name: string, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      },
    },
  }

  test.each(everyVendor)('ends at the second meeting (%s)', (vendor) => {
    expect(format(tree, vendor)).toEqual(
      object({
        root: object({
          name: string,
          children: { type: 'array', items: { type: 'object', description: 'The same again as Node' } },
        }),
      }),
    )
  })

  test('may refer to itself in an unnamed circle', () => {
    const circle = {
      $ref: '#/$defs/A',
      $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#' }] } },
    }
    for (const vendor of vendors) expect(format(circle, vendor)).toMatchObject({ type: 'object' })
  })

  test.each(plainVendors)('is noticed through allOf as well (%s)', (vendor) => {
    const again = { allOf: [{ $ref: '#/$defs/B' }] }
    const formatted = format({ ...object({ x: again }), $defs: { B: object({ x: again }) } }, vendor)
    expect(formatted).toEqual(
      object({ x: object({ x: { type: 'object', description: 'The same again as B' } }) }),
    )
  })

  test('has a limited size', () => {
    const $defs: Schema = {}
    for (let level = 0; level < 30; level++) {
      $defs[`L${level}`] = object({
        a: { $ref: `#/$defs/L${level + 1}` },
        b: { $ref: `#/$defs/L${level + 1}` },
      })
    }
    for (const vendor of vendors)
      expect(
        JSON.stringify(format({ ...object({ a: { $ref: '#/$defs/L0' } }), $defs }, vendor)).length,
      ).toBeLessThan(300_000)
  })
})

describe.each(Object.entries(vastSchemas))('%s', (_, schema) => {
  test.each(everyVendor)('is written out as far as a request may grow (%s)', (vendor) => {
    expect(JSON.stringify(format(schema, vendor)).length).toBeLessThan(300_000)
  })
})

test.each(everyVendor)('a long list of values is kept, each of them once (%s)', (vendor) => {
  const values = manyValues(10_000)
  const formatted = format(object({ a: { type: 'string', enum: [...values, ...values] } }), vendor)
  expect(formatted).toEqual(object({ a: { type: 'string', enum: values } }))
})

test('tools beyond what a model reads are shortened', () => {
  const inputSchema = object({ a: { type: 'string', description: 'x'.repeat(60_000) }, b: string })
  const tools = Array.from({ length: 200 }, (_, index) => ({
    name: `t${index}`,
    description: 'd'.repeat(8_000),
    inputSchema,
  }))
  const formatted = formatToolsForProvider(tools, 'anthropic')
  expect(formatted[0]).toEqual({ type: 'function', ...tools[0] })
  expect(formatted[199]).toMatchObject({
    name: 't199',
    inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: {} } },
  })
  expect(JSON.stringify(formatted).length).toBeLessThan(5_000_000)
})

test('two alternatives with a common base both keep it', () => {
  const schema = {
    anyOf: [
      { allOf: [{ $ref: '#/$defs/Base' }, object({ a: string })] },
      { allOf: [{ $ref: '#/$defs/Base' }, object({ b: string })] },
    ],
    $defs: { Base: object({ id: string }, ['id']) },
  }
  expect(format(schema, 'openai')).toEqual(object({ id: string, a: string, b: string }, ['id']))
})

test("descriptions are cut at the vendor's limit, not within a character", () => {
  const tool = { name: 't', description: `${'x'.repeat(1022)}🐎🐎`, inputSchema: {} }
  const [cut] = formatToolsForProvider([tool], 'openai')
  expect(cut?.description).toBe(`${'x'.repeat(1022)}…`)
  expect(formatToolsForProvider([tool], 'anthropic')[0]?.description).toBe(tool.description)
})

test('OpenAI is told not to make optional arguments required', () => {
  const tools = [{ name: 't', description: '', inputSchema: object({ a: string }) }]
  expect(formatToolsForProvider(tools, 'openai')[0]?.strict).toBe(false)
  expect(formatToolsForProvider(tools, 'openai-compatible')[0]).not.toHaveProperty('strict')
})

test('any schema becomes a valid object schema for the vendor, and the input is untouched', () => {
  const keywords = [
    'type',
    'properties',
    'required',
    'items',
    'anyOf',
    'allOf',
    'oneOf',
    '$ref',
    'enum',
    'const',
    'pattern',
    'minimum',
    'exclusiveMinimum',
    'additionalProperties',
    'not',
    'description',
  ]
  const node: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(true, false, null, 1, 'string', 'object', '#', '#/properties/type', [], {}),
      fc.dictionary(fc.constantFrom(...keywords), tie('node')),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
  })).node
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  fc.assert(
    fc.property(node, fc.constantFrom(...vendors), (schema, vendor) => {
      const before = JSON.stringify(schema)
      const formatted = format(schema, vendor)
      expect(JSON.stringify(schema)).toBe(before)
      expect(formatted).toMatchObject({ type: 'object', properties: {} })
      expect(Object.keys(formatted)).not.toContain('anyOf')
      void ajv.validateSchema(formatted)
      expect(ajv.errors ?? []).toEqual([])
      expect(JSON.stringify(format(schema, vendor))).toBe(JSON.stringify(formatted))
    }),
    { numRuns: 60 },
  )
})
