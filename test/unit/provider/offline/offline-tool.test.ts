import { describe, expect, it } from 'vitest'
import { coerce } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'
import type { Schema } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'

describe('text as the value that a schema requires', () => {
  it.each<[string, Schema, unknown]>([
    ['hay', { type: 'string' }, 'hay'],
    ['KG', { enum: ['kg', 'lb'] }, 'kg'],
    ['stone', { enum: ['kg', 'lb'] }, undefined],
    ['12', { type: 'number' }, 12],
    ['1.5', { type: 'integer' }, undefined],
    [' ', { type: 'number' }, undefined],
    ['much', { type: 'number' }, undefined],
    ['4', { type: 'number', minimum: 5 }, undefined],
    ['6', { type: 'number', maximum: 5 }, undefined],
    ['Yes', { type: 'boolean' }, true],
    ['off', { type: 'boolean' }, false],
    ['perhaps', { type: 'boolean' }, undefined],
    ['["a", "b"]', { type: 'array' }, ['a', 'b']],
    ['a, b and c', { type: 'array', items: { type: 'string' } }, ['a', 'b', 'c']],
    ['1, two', { type: 'array', items: { type: 'number' } }, undefined],
    [',', { type: 'array' }, undefined],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['[1]', { type: 'object' }, undefined],
    ['a: 1', { type: 'object' }, undefined],
  ])('%j as %j', (text, schema, value) => {
    expect(coerce(text, schema)).toEqual(value)
  })
})
