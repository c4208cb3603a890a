import { describe, expect, it } from 'vitest'
import { coerce } from '../../../../packages/agent-api/src/provider/offline/coerce.ts'
import { formFor, readForm } from '../../../../packages/agent-api/src/provider/offline/form.ts'
import type { Schema } from '../../../../packages/agent-api/src/provider/offline/schema-shape.ts'

describe('text as the value that a schema requires', () => {
  it.each<[string, Schema, unknown]>([
    ['hay', { type: 'string' }, 'hay'],
    ['KG', { enum: ['kg', 'lb'] }, 'kg'],
    ['stone', { enum: ['kg', 'lb'] }, undefined],
    ['12_000', { type: 'number' }, 12_000],
    ['1.5', { type: 'integer' }, undefined],
    [' ', { type: 'number' }, undefined],
    ['much', { type: 'number' }, undefined],
    ['4', { type: 'number', minimum: 5 }, undefined],
    ['6', { type: 'number', maximum: 5 }, undefined],
    ['Yes', { type: 'boolean' }, true],
    ['off', { type: 'boolean' }, false],
    ['perhaps', { type: 'boolean' }, undefined],
    ['["a", "b"]', { type: 'array' }, ['a', 'b']],
    ['"a", b and c', { type: 'array', items: { type: 'string' } }, ['a', 'b', 'c']],
    ['1, two', { type: 'array', items: { type: 'number' } }, undefined],
    [',', { type: 'array' }, undefined],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['[1]', { type: 'object' }, undefined],
    ['a: 1', { type: 'object' }, undefined],
  ])('%j as %j', (text, schema, value) => {
    expect(coerce(text, schema)).toEqual(value)
  })
})

describe('a form for missing arguments', () => {
  it('is flat, with what each field needs', () => {
    const properties = {
      name: { type: 'string', title: 'Name', description: 'Of the horse', format: 'email' },
      born: { type: 'string', format: 'time' },
      weight: { type: 'number', minimum: 1, maximum: 900 },
      unit: { type: 'string', enum: ['kg', 'lb'] },
      sizes: { type: 'array', description: 'Its shoes' },
      owner: { type: 'object' },
      odd: { enum: [1, 2] },
    }
    const tool = { name: 'weigh', schema: { type: 'object', properties } } as never
    expect(formFor(tool, [...Object.keys(properties), 'unknown'])).toMatchObject({
      message: 'To run weigh, I need name, born, weight, unit, sizes, owner, odd, unknown.',
      schema: {
        required: [...Object.keys(properties), 'unknown'],
        properties: {
          name: { type: 'string', title: 'Name', description: 'Of the horse', format: 'email' },
          born: { type: 'string' },
          weight: { type: 'number', minimum: 1, maximum: 900 },
          unit: { type: 'string', enum: ['kg', 'lb'] },
          sizes: { type: 'string', description: 'Its shoes; separated by commas' },
          owner: { type: 'string', description: 'as JSON' },
        },
      },
    })
  })

  it.each([
    ['values', '{"weight":"12","name":"Bess"}', { weight: 12, name: 'Bess' }],
    ['a value that does not fit', '{"weight":"much"}', { weight: 'much' }],
    ['a value that is no text', '{"weight":7}', { weight: 7 }],
    ['only other fields', '{"other":1}', undefined],
    ['no object', '"no"', undefined],
    ['no JSON', 'no', undefined],
  ])('read with %s', (_, text, values) => {
    const schema = { type: 'object', properties: { weight: { type: 'number' }, name: { type: 'string' } } }
    expect(readForm(text, schema)).toEqual(values)
  })
})
