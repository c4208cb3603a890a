import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  initialEntry,
  parseArgumentsJson,
  toEntry,
  toValue,
} from '../../../packages/console/src/page/schema/entry.ts'
import { toField } from '../../../packages/console/src/page/schema/field.ts'

const schema = {
  type: 'object',
  required: ['path', 'options', 'tags', 'force'],
  properties: {
    path: { type: 'string', title: 'Path', description: 'Where' },
    mode: { enum: ['a', 2, null] },
    limit: { type: 'integer', minimum: 1, default: 10 },
    force: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    options: { $ref: '#/$defs/options' },
    parent: { anyOf: [{ $ref: '#/$defs/options' }, { type: 'null' }] },
    mixed: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    names: { oneOf: [{ const: 'x' }, { const: 'y' }] },
    free: { type: 'object' },
    maybe: { type: ['number', 'null'] },
  },
  $defs: {
    options: { type: 'object', properties: { again: { $ref: '#/$defs/options' }, on: { type: 'boolean' } } },
  },
}
const field = toField(schema)
const kinds =
  field.kind === 'object' ? Object.fromEntries(field.fields.map(({ name, kind }) => [name, kind])) : {}

describe('a form made from a JSON Schema', () => {
  it('has a field of the right kind for every property', () => {
    expect(kinds).toEqual({
      path: 'text',
      mode: 'choice',
      limit: 'number',
      force: 'boolean',
      tags: 'list',
      options: 'object',
      parent: 'object',
      mixed: 'variants',
      names: 'choice',
      free: 'json',
      maybe: 'number',
    })
  })

  it('starts with the defaults and the structure of required fields', () => {
    const { value, issues } = toValue(field, initialEntry(field))
    expect(value).toStrictEqual({ limit: 10, force: false, tags: [], options: {} })
    expect(issues).toEqual([{ path: 'path', message: 'Required.' }])
  })

  it.each([
    [{ kind: 'number' as const, isInteger: true }, { text: '1.5' }, 'Must be a whole number.'],
    [{ kind: 'number' as const, isInteger: false }, { text: 'x' }, 'Must be a number.'],
    [{ kind: 'json' as const }, { json: '{' }, 'This is not valid JSON.'],
  ])('reports a problem: %j with %j', (kind, entry, message) => {
    const part = { name: 'n', title: 'n', isRequired: false, rules: [], limits: {}, type: '', ...kind }
    expect(toValue(part, entry, 'n').issues).toEqual([{ path: 'n', message }])
  })

  it('shows a text with hidden characters as JSON, and keeps it', () => {
    const entry = toEntry(field, { path: 'gnp.\u202eexe' })
    expect(entry).toMatchObject({ fields: { path: { json: '"gnp.\\u202eexe"' } } })
    expect(toValue(field, entry)).toMatchObject({ value: { path: 'gnp.\u202eexe' } })
  })

  it('keeps any value, even if it does not match the schema', () => {
    const names = fc.constantFrom(...Object.keys(schema.properties), 'unknown', '__proto__')
    const values = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true })
    const required = { path: '', options: {}, tags: [], force: true }
    fc.assert(
      fc.property(values, (some) => {
        const value = JSON.parse(JSON.stringify({ ...required, ...some })) as unknown
        expect(toValue(field, toEntry(field, value)).value).toEqual(value)
      }),
    )
  })

  it.each([
    [{ minimum: 1 }, '1 or more'],
    [{ minimum: 0.5, maximum: 5, multipleOf: 0.5 }, '0.5 to 5, a multiple of 0.5'],
    [{ exclusiveMinimum: 0, maximum: 1 }, 'at most 1, more than 0'],
    [{ minLength: 1 }, '1 or more characters'],
    [{ maxLength: 1, pattern: '^a' }, 'at most 1 character, matches ^a'],
    [{ minItems: 2, maxItems: 2 }, '2 items'],
    [{ minItems: 0, maxItems: 3, format: 7 }, '0 to 3 items'],
  ])('says the limits of a value: %j', (limited, words) => {
    expect(toField({ properties: { n: limited } })).toMatchObject({ fields: [{ rules: words.split(', ') }] })
  })

  it.each([
    [{ type: 'integer', minimum: 1, maximum: 3 }, 0, 'Must be at least 1.'],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 4, 'Must be at most 3.'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0, 'Must be more than 0.'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 1, 'Must be less than 1.'],
    [{ type: 'number', multipleOf: 0.01 }, 19.995, 'Must be a multiple of 0.01.'],
    [{ type: 'string', minLength: 2 }, '🦦', 'Enter at least 2 characters.'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 character.'],
    [{ type: 'string', format: 'email' }, 'nobody', 'Enter an e-mail address.'],
    [{ type: 'string', format: 'uri' }, 'example.com', 'Enter a full URL, such as https://example.com/.'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'Enter a date, such as 2026-03-31.'],
    [
      { type: 'string', format: 'date-time' },
      '2026-02-03',
      'Enter a date and a time, such as 2026-03-31T09:00:00Z.',
    ],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, [], 'Add at least 1 item.'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], 'At most 1 item.'],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['a', 'a'],
      'Every item must be different.',
    ],
    [
      {
        anyOf: [
          { type: 'integer', maximum: 9 },
          { type: 'string', maxLength: 2 },
        ],
      },
      'abc',
      'Enter at most 2 characters.',
    ],
  ])('checks the limits of a value: %j with %j', (limited, value, message) => {
    const form = toField({ properties: { n: limited } })
    expect(toValue(form, toEntry(form, { n: value }))).toMatchObject({
      value: { n: value },
      issues: [{ path: 'n', message }],
    })
  })

  it.each([
    [{ type: 'number', multipleOf: 0.01 }, 19.99],
    [{ type: 'string', minLength: 1, maxLength: 1 }, '🦦'],
    [{ type: 'string', format: 'email' }, 'a@b'],
    [{ type: 'string', format: 'date' }, '2026-03-31'],
    [{ type: 'string', format: 'date-time' }, '2026-03-31T09:00:00+02:00'],
    [{ type: 'string', format: 'of its own' }, 'x'],
    [
      {
        anyOf: [
          { type: 'integer', maximum: 9 },
          { type: 'string', maxLength: 2 },
        ],
      },
      'ab',
    ],
  ])('accepts what is within them: %j with %j', (limited, value) => {
    const form = toField({ properties: { n: limited } })
    expect(toValue(form, toEntry(form, { n: value }))).toMatchObject({ value: { n: value }, issues: [] })
  })

  it('leaves patterns to the server', () => {
    const form = toField({
      properties: { list: { type: 'array', items: { type: 'string', pattern: '^a' } } },
    })
    expect(toValue(form, toEntry(form, { list: ['b'] })).patterns).toEqual([
      { path: 'list.0', pattern: '^a', text: 'b' },
    ])
  })

  it('labels choices, and offers one form per alternative', () => {
    const form = toField({
      properties: {
        colour: { oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
        size: { enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
        place: {
          anyOf: [
            { type: 'string' },
            { title: 'A point', type: 'object', properties: { x: { type: 'number' } } },
          ],
        },
      },
    })
    expect(form).toMatchObject({
      fields: [
        { kind: 'choice', choices: ['r', 'g'], labels: ['Red', undefined] },
        { kind: 'choice', labels: ['Small', 'Large'] },
        {
          kind: 'variants',
          type: 'string or object',
          options: [{ title: '1: string' }, { title: 'A point' }],
        },
      ],
    })
    expect(toEntry(form, { place: { x: 1 } })).toMatchObject({ fields: { place: { variant: 1 } } })
  })

  it('creates a form for every schema', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            'type',
            'properties',
            'items',
            'enum',
            '$ref',
            'anyOf',
            'allOf',
            'required',
            'default',
          ),
          fc.jsonValue(),
        ),
        (any) => {
          toValue(toField(any), initialEntry(toField(any)))
        },
      ),
    )
  })

  it.each([
    [
      'types that cannot become text',
      { type: ['string', 'number', { toString: 0, valueOf: 0 }] },
      undefined,
      'string or number',
    ],
    ['a property that every object inherits', { properties: { toString: { type: 'number' } } }, {}, 'object'],
    [
      'a property named __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'),
      {},
      'object',
    ],
  ])('makes a form of %s', (_, schema: Record<string, unknown>, value, type) => {
    const field = toField(schema)
    expect(field.type).toBe(type)
    expect(toValue({ ...field, isRequired: false }, toEntry(field, value)).value).toEqual(value)
  })

  it('follows a recursive schema to a limited depth', () => {
    const endless = {
      $ref: '#/$defs/a',
      $defs: {
        a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] },
        b: { $ref: '#/$defs/b' },
      },
    }
    expect(JSON.stringify(toField(endless)).length).toBeLessThan(5_000)
    expect(toField({ $ref: '#/$defs/b', $defs: endless.$defs }).kind).toBe('json')
  })
})

it('limits the fields of a schema with many references to itself', () => {
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
  const wide = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])) }
  expect(JSON.stringify(toField(wide)).match(/"kind":"object"/g)?.length).toBeLessThanOrEqual(500)
})

describe('arguments as JSON', () => {
  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', undefined],
    ['"x"', undefined],
    ['{', undefined],
  ])('%j is %j', (text, value) => expect(parseArgumentsJson(text).value).toEqual(value))
})
