import { describe, expect, it } from 'vitest'
import { coerce } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'
import type { Schema } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'

describe('text as the value that a schema requires', () => {
  it.each<[string, Schema, unknown]>([
    ['hay', { type: 'string' }, 'hay'],
    ['12', { type: 'number' }, 12],
    [' ', { type: 'number' }, undefined],
    ['much', { type: 'number' }, undefined],
    ['Yes', { type: 'boolean' }, true],
    ['off', { type: 'boolean' }, false],
    ['perhaps', { type: 'boolean' }, undefined],
    ['["a", "b"]', { type: 'array' }, ['a', 'b']],
    ['1, two', { type: 'array', items: { type: 'number' } }, undefined],
    [',', { type: 'array' }, undefined],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['a: 1', { type: 'object' }, undefined],
  ])('%j as %j', (text, schema, value) => {
    expect(coerce(text, schema)).toEqual(value)
  })
})
