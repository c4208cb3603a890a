import { expect, it } from 'vitest'
import { headerArgumentFault, usesHeaderArguments } from '../../../packages/agent-api/src/mcp/x-mcp-header.ts'

const object = (properties: unknown) => ({ type: 'object', properties })
const region = { type: 'string', 'x-mcp-header': 'Region' }
const misplaced = 'x-mcp-header is not on an argument'

it.each([
  ['a plain argument', object({ region }), undefined],
  ['an argument of an object', object({ place: object({ region }) }), undefined],
  ['an argument that has the name of the mark', object({ 'x-mcp-header': { type: 'string' } }), undefined],
  ['no arguments at all', object('none'), undefined],
  ['an argument with a boolean schema', object({ region: true }), undefined],
  ['the whole schema', { ...object({}), 'x-mcp-header': 'Region' }, misplaced],
  ['an item of a list', object({ regions: { type: 'array', items: region } }), misplaced],
  ['an alternative', object({ place: { anyOf: [region] } }), misplaced],
  [
    'an invalid name',
    object({ region: { ...region, 'x-mcp-header': 'a b' } }),
    'x-mcp-header is not the name of a header',
  ],
  [
    'a name with a line break',
    object({ region: { ...region, 'x-mcp-header': 'A\r\nHost' } }),
    'x-mcp-header is not the name of a header',
  ],
  [
    'an empty name',
    object({ region: { ...region, 'x-mcp-header': '' } }),
    'x-mcp-header is not the name of a header',
  ],
  [
    'a name of a wrong type',
    object({ region: { ...region, 'x-mcp-header': 7 } }),
    'x-mcp-header is not the name of a header',
  ],
  [
    'a number',
    object({ region: { ...region, type: 'number' } }),
    'x-mcp-header is on an argument that is not a string, integer or boolean',
  ],
  [
    'a list',
    object({ region: { ...region, type: 'array' } }),
    'x-mcp-header is on an argument that is not a string, integer or boolean',
  ],
  [
    'one name twice',
    object({ a: region, b: { type: 'integer', 'x-mcp-header': 'region' } }),
    'two arguments have the same x-mcp-header',
  ],
])('an argument as a header, at %s', (_, schema, fault) => {
  expect(headerArgumentFault(schema)).toBe(fault)
})

it('distinguishes a schema with such arguments from one without', () => {
  expect(usesHeaderArguments(object({ region }))).toBe(true)
  expect(usesHeaderArguments(object({ region: { type: 'string' } }))).toBe(false)
})
