import { expect, test } from 'vitest'
import { toElicitationSchema } from '../../../../packages/acp-server/src/editor/to-elicitation-schema.ts'
import { problemsOfCall } from '../../../support/acp-schema.ts'

function fieldOf(property: unknown): unknown {
  return toElicitationSchema({ type: 'object', properties: { field: property } })?.properties?.['field']
}

const choices = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
]

test.each<[string, Record<string, unknown>]>([
  [
    'a text',
    {
      type: 'string',
      title: 'Name',
      description: 'Yours',
      minLength: 1,
      maxLength: 9,
      default: 'x',
      pattern: '^x',
      format: 'email',
    },
  ],
  ['a choice', { type: 'string', enum: ['a', 'b'], default: 'a' }],
  ['a choice with names', { type: 'string', oneOf: choices }],
  ['a number', { type: 'number', minimum: 0.5, maximum: 2, default: 1 }],
  ['an integer', { type: 'integer', minimum: 0, maximum: 5, default: 1 }],
  ['yes or no', { type: 'boolean', default: false }],
  [
    'several choices',
    { type: 'array', minItems: 1, maxItems: 2, default: ['a'], items: { type: 'string', enum: ['a', 'b'] } },
  ],
  ['several choices with names', { type: 'array', items: { anyOf: choices } }],
])('%s is passed on unchanged', (_, property) => {
  expect(fieldOf(property)).toEqual(property)
})

test.each<[string, unknown, unknown]>([
  [
    'names in the older way',
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    { type: 'string', oneOf: choices },
  ],
  ['a choice without a type', { enum: ['a'] }, { type: 'string', enum: ['a'] }],
  ['an unknown format', { type: 'string', format: 'color' }, { type: 'string' }],
  [
    'limits of the wrong type',
    { type: 'string', minLength: '1', maxLength: -1, title: 5 },
    { type: 'string' },
  ],
  ['keywords no form knows', { type: 'integer', multipleOf: 2, 'x-secret': true }, { type: 'integer' }],
])('%s keeps the part that a form supports', (_, property, expected) => {
  expect(fieldOf(property)).toEqual(expected)
})

test.each<[string, Record<string, unknown>]>([
  ['an object in an object', { type: 'object', properties: { a: { type: 'object' } } }],
  ['a list of anything', { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }],
  ['a list of lists', { type: 'object', properties: { a: { type: 'array', items: { type: 'array' } } } }],
  ['a reference', { type: 'object', properties: { a: { $ref: '#/x' } } }],
  ['an invalid property', { type: 'object', properties: { a: true } }],
  ['no object', { type: 'string' }],
  ['properties as a list', { type: 'object', properties: [] }],
])('%s is not a form', (_, schema) => {
  expect(toElicitationSchema(schema)).toBeUndefined()
})

test('required fields must exist, and the result is a valid ACP form', () => {
  const requestedSchema = toElicitationSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Trip',
    properties: { city: { type: 'string' }, ['__proto__']: { type: 'boolean' } },
    required: ['city', 'country', '__proto__'],
    additionalProperties: false,
  })
  expect(requestedSchema).toMatchObject({ type: 'object', title: 'Trip', required: ['city', '__proto__'] })
  expect(
    problemsOfCall(
      'elicitation/create',
      { mode: 'form', sessionId: 's', message: 'm', requestedSchema },
      'request',
    ),
  ).toEqual([])
})

test('a form may have no fields', () => {
  expect(toElicitationSchema({})).toEqual({ type: 'object', properties: {} })
})
