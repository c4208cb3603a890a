import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findProblems } from '../../../packages/agent-api/src/tools/find-problems.ts'
import { manyValues } from '../../support/vast-schemas.ts'

type Schema = Record<string, unknown>

const string = { type: 'string' }
const options: Options = { strict: false, validateSchema: false, validateFormats: false, logger: false }

describe.each<[string, Schema, unknown, RegExp | undefined]>([
  ['a missing field', { required: ['a'] }, {}, /^the arguments must have required property 'a'$/],
  [
    'a missing field further down',
    { properties: { a: { required: ['b'] } } },
    { a: {} },
    /^a must have required property 'b'$/,
  ],
  [
    'one of two types',
    { properties: { a: { type: ['string', 'null'] } } },
    { a: 1 },
    /^a must be string or null$/,
  ],
  [
    'nothing, where that is said the way of OpenAPI',
    { properties: { a: { type: 'string', nullable: true } } },
    { a: null },
    undefined,
  ],
  [
    'a bound in the way of draft 4',
    { properties: { a: { minimum: 1, exclusiveMinimum: true } } },
    { a: 1 },
    /^a must be more than 1$/,
  ],
  [
    'a value outside a long enum',
    { properties: { a: { enum: manyValues(1_000) } } },
    { a: '!' },
    /^a must be one of \[.*\] and 980 more$/,
  ],
  [
    'an object in an enum, in another order',
    { properties: { a: { enum: [{ x: 1, y: 2 }] } } },
    { a: { y: 2, x: 1 } },
    undefined,
  ],
  [
    'no alternative',
    { properties: { a: { anyOf: [string, { type: 'null' }] } } },
    { a: 1 },
    /^a matches none of its alternatives \(a must be string; a must be null\)$/,
  ],
  [
    'two alternatives',
    { properties: { a: { oneOf: [string, { minLength: 1 }] } } },
    { a: 'x' },
    /matches 2$/,
  ],
  ['a price in cents', { properties: { a: { multipleOf: 0.01 } } }, { a: 19.99 }, undefined],
  [
    'half a cent',
    { properties: { a: { multipleOf: 0.01 } } },
    { a: 19.995 },
    /^a must be a multiple of 0.01$/,
  ],
  [
    'a surrogate pair, which is one character',
    { properties: { a: { maxLength: 1 } } },
    { a: '🐎' },
    undefined,
  ],
  [
    'a text that is too long',
    { properties: { a: { maxLength: 1 } } },
    { a: '🐎x' },
    /^a must have at most 1 character$/,
  ],
  [
    'a list that contains what it must',
    { properties: { a: { contains: string } } },
    { a: [1, 'x'] },
    undefined,
  ],
  [
    'a list that does not',
    { properties: { a: { contains: string } } },
    { a: [] },
    /^a must contain at least 1 valid item$/,
  ],
  [
    'a list with too much of it',
    { properties: { a: { contains: string, maxContains: 1 } } },
    { a: ['x', 'y'] },
    /^a must contain at most 1/,
  ],
  [
    'a list that may do without',
    { properties: { a: { contains: string, minContains: 0 } } },
    { a: [] },
    undefined,
  ],
  [
    'a property that no part of the schema knows',
    {
      allOf: [{ properties: { a: {} } }, { anyOf: [{ properties: { b: {} }, required: ['b'] }, {}] }],
      unevaluatedProperties: false,
    },
    { a: 1, b: 2, c: 3 },
    /^the arguments must not have the field 'c'$/,
  ],
  [
    'a property of an alternative that does not fit',
    {
      oneOf: [{ properties: { a: string } }, { required: ['z'] }],
      properties: { z: {} },
      unevaluatedProperties: false,
    },
    { a: 1, z: 1 },
    /^the arguments must not have the field 'a'$/,
  ],
  [
    'properties that a reference knows',
    { $ref: '#/$defs/a', $defs: { a: { properties: { a: {} } } }, unevaluatedProperties: false },
    { a: 1 },
    undefined,
  ],
  [
    'an item too many',
    { properties: { a: { allOf: [{ prefixItems: [{}] }], unevaluatedItems: string } } },
    { a: [1, 'x', 2] },
    /^a\.2 must be string$/,
  ],
  [
    'a reference',
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: string } },
    { a: 1 },
    /^a must be string$/,
  ],
  [
    'a reference to nowhere',
    { properties: { a: { $ref: '#/$defs/b', type: 'string' } } },
    { a: 1 },
    /^a must be string$/,
  ],
  ['a schema that is itself', { $ref: '#', type: 'object' }, {}, undefined],
  [
    'a tree',
    { properties: { name: string, children: { items: { $ref: '#' } } } },
    { children: [{ children: [{ name: 1 }] }] },
    /^children\.0\.children\.0\.name must be string$/,
  ],
  ['a name that every object has', { properties: { constructor: string } }, {}, undefined],
  ['a keyword that every object has', { constructor: string, toString: 1 }, {}, undefined],
])('%s', (_, schema, value, problem) => {
  test('matches, or is reported', () => {
    const problems = findProblems(schema, value)
    if (problem === undefined) expect(problems).toEqual([])
    else expect(problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('agrees with Ajv', () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(null, true, 0, 1, 2, 1.5, -1, '', 'a', 'ab', 'b1'),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  })).value
  const number = fc.integer({ min: 0, max: 3 })
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })

  /**
   * Schemas with the keywords that all dialects share, and the given ones. Excludes `contains`, which Ajv ignores for an empty list beside
   * a tuple. Excludes `unevaluated…`, where Ajv counts what failed alternatives evaluated.
   */
  const schemas = (more: (schema: fc.Arbitrary<unknown>) => Record<string, fc.Arbitrary<unknown>>) =>
    fc.letrec((tie) => {
      const schema = tie('schema')
      const list = fc.array(schema, { minLength: 1, maxLength: 3 })
      const byName = fc.dictionary(fc.constantFrom('a', 'b', 'c'), schema, { maxKeys: 2 })
      const keywords: Record<string, fc.Arbitrary<unknown>> = {
        type: fc.oneof(
          fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null'),
          fc.constant(['string', 'array']),
        ),
        enum: fc.uniqueArray(value, {
          minLength: 1,
          maxLength: 3,
          comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
        }),
        const: value,
        minimum: number,
        exclusiveMaximum: number,
        multipleOf: fc.constantFrom(1, 2, 0.5),
        minLength: number,
        maxLength: number,
        pattern: fc.constantFrom('^a', 'b', '[0-9]$'),
        minItems: number,
        maxItems: number,
        uniqueItems: fc.boolean(),
        minProperties: number,
        required: names,
        properties: byName,
        patternProperties: fc.dictionary(fc.constantFrom('^a', '[bc]'), schema, { maxKeys: 1 }),
        additionalProperties: schema,
        propertyNames: schema,
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: schema,
        ...Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, schema])),
        $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
        ...more(schema),
      }
      return {
        schema: fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          fc.boolean(),
          fc
            .subarray(Object.keys(keywords), { maxLength: 4 })
            .chain((chosen) =>
              fc.record(
                Object.fromEntries(
                  chosen.map((keyword) => [keyword, keywords[keyword] ?? fc.constant(true)]),
                ),
              ),
            ),
        ),
      }
    }).schema

  test.each([
    [
      'draft 7',
      new Ajv(options),
      schemas((schema) => ({
        items: fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 2 })),
        dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(schema, names), { maxKeys: 2 }),
      })),
    ],
    [
      'draft 2019-09',
      new Ajv2019(options),
      schemas((schema) => ({
        dependentRequired: fc.dictionary(fc.constantFrom('a', 'b'), names, { maxKeys: 2 }),
        dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), schema, { maxKeys: 2 }),
      })),
    ],
    [
      'draft 2020-12',
      new Ajv2020(options),
      schemas((schema) => ({
        prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
        items: schema,
      })),
    ],
  ])('for any schema of %s', (_, ajv, schema) => {
    fc.assert(
      fc.property(schema, schema, schema, value, (x, y, root, given) => {
        fc.pre(!JSON.stringify(x).includes('#/$defs/x'))
        const $defs = { x, y: dropRefs(y) }
        const [whole, instance] = JSON.parse(JSON.stringify([{ allOf: [root], $defs }, given])) as [
          Schema,
          unknown,
        ]
        const isValid = askAjv(ajv, whole, instance)
        fc.pre(isValid !== undefined)
        expect(findProblems(whole, instance).length === 0).toBe(isValid)
      }),
      { numRuns: 100 },
    )
  })

  /** Undefined if Ajv breaks off with an error of its own, as it does for a few combinations of keywords. */
  function askAjv(ajv: Ajv, schema: Schema, instance: unknown): boolean | undefined {
    try {
      return ajv.compile(schema)(instance)
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  /** Circular references have no meaning to agree on. */
  function dropRefs(schema: unknown): unknown {
    return JSON.parse(JSON.stringify(schema), (key, item: unknown) => (key === '$ref' ? undefined : item))
  }
})

test.each([
  ['items', { items: string }, (count: number) => Array.from({ length: count }, () => 1)],
  [
    'names',
    { additionalProperties: string },
    (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1])),
  ],
])('a value with too many %s to be checked in time is not checked', (_, schema, valueOf) => {
  expect(findProblems(schema, valueOf(1_000))).not.toEqual([])
  expect(findProblems(schema, valueOf(100_000))).toEqual([])
})
