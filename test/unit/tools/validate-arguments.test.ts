import { describe, expect, it } from 'vitest'
import { validateArguments } from '../../../packages/agent-api/src/tools/validate-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    count: { type: 'integer', minimum: 1 },
    mode: { enum: ['fast', 'slow'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['path'],
  additionalProperties: false,
}

describe('validateArguments', () => {
  it.each([
    [
      'what fits',
      '{"path":"/a","count":2,"mode":"fast","tags":["x"]}',
      { path: '/a', count: 2, mode: 'fast', tags: ['x'] },
    ],
    ['white space around', ' {"path":"/a"} ', { path: '/a' }],
  ])('accepts %s', (_, input, args) => {
    expect(validateArguments(schema, input)).toEqual({ ok: true, args })
  })

  it('accepts nothing if nothing is required', () => {
    expect(validateArguments({ type: 'object' }, '')).toEqual({ ok: true, args: {} })
  })

  it.each([
    ['a missing field', '{}', /must have required property 'path'/],
    ['a wrong type', '{"path":"/a","count":"two"}', /count must be integer/],
    ['a nested wrong type', '{"path":"/a","tags":["x",1]}', /tags\.1 must be string/],
    ['a value outside an enum', '{"path":"/a","mode":"medium"}', /mode must be one of \["fast","slow"\]/],
    ['a field too many', '{"path":"/a","colour":1}', /must not have the field 'colour'/],
    ['half a JSON', '{"path":"/a', /not valid JSON/],
    ['no object', '[1]', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['a prototype', '{"path":"/a","__proto__":{"x":1}}', /__proto__ is not allowed/],
    ['a prototype further down', '{"path":"/a","tags":[{"__proto__":1}]}', /__proto__ is not allowed/],
    [
      'a prototype in disguise',
      String.raw`{"path":"/a","tags":[{"__pr\u006fto__":1}]}`,
      /__proto__ is not allowed/,
    ],
    [
      'what is too deep for anybody',
      `{"path":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
      /nested deeper than 200/,
    ],
    ['two megabytes', JSON.stringify({ path: 'x'.repeat(2_000_000) }), /too long/],
  ])('rejects %s', (_, input, problem) => {
    const check = validateArguments(schema, input)
    expect(check).toMatchObject({ ok: false, problem: expect.stringMatching(problem) })
  })

  it('names a few problems and counts the rest', () => {
    const input = JSON.stringify({ path: '/a', tags: Array.from({ length: 20 }, () => 1) })
    const check = validateArguments(schema, input)
    expect(check).toMatchObject({ ok: false, problem: expect.stringContaining('and 12 more') })
  })

  it('checks a pattern in linear time', () => {
    const evil = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } }
    expect(validateArguments(evil, JSON.stringify({ name: `${'a'.repeat(50_000)}!` }))).toMatchObject({
      ok: false,
    })
    expect(validateArguments(evil, JSON.stringify({ name: 'aaa' }))).toMatchObject({ ok: true })
  })

  it('separates the patterns of a schema', () => {
    const two = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a' }, b: { type: 'string', pattern: '^b' } },
    }
    expect(validateArguments(two, '{"a":"a","b":"b"}')).toMatchObject({ ok: true })
    expect(validateArguments(two, '{"a":"b","b":"b"}')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('a must match pattern'),
    })
  })

  it.each([
    [
      'points to the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } },
    ],
    ['has a type that does not exist', { type: 'object', properties: { a: { type: 'any' } } }],
    ['has an invalid pattern', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
    [
      'looks behind, which RE2 cannot',
      { type: 'object', properties: { a: { type: 'string', pattern: '(?<=x)y' } } },
    ],
  ])('leaves to the server what a schema that %s cannot check', (_, odd) => {
    expect(validateArguments(odd, '{"a":"anything"}')).toMatchObject({ ok: true })
  })

  it.each(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'])(
    'reads the dialect %s',
    ($schema) => {
      const list = $schema.includes('07')
        ? { items: [{ type: 'string' }] }
        : { prefixItems: [{ type: 'string' }] }
      const dialect = { $schema, type: 'object', properties: { list: { type: 'array', ...list } } }
      expect(validateArguments(dialect, '{"list":[1]}')).toMatchObject({ ok: false })
      expect(validateArguments(dialect, '{"list":["x"]}')).toMatchObject({ ok: true })
    },
  )

  it('separates two schemas with the same $id', () => {
    const one = { $id: 'same', type: 'object', required: ['a'] }
    const two = { $id: 'same', type: 'object', required: ['b'] }
    expect(validateArguments(one, '{"a":1}').ok).toBe(true)
    expect(validateArguments(two, '{"a":1}').ok).toBe(false)
  })
})
