import { describe, expect, it } from 'vitest'
import { mendArguments } from '../../../packages/agent-api/src/tools/mend-arguments.ts'
import { validateArguments } from '../../../packages/agent-api/src/tools/validate-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    scale: { enum: ['css', 'device'], default: 'css' },
    verbose: { type: 'boolean' },
    path: { type: 'string' },
    token: { type: 'string', default: '[redacted]' },
    note: { type: ['string', 'null'] },
  },
  required: ['scale'],
}

describe('mendArguments', () => {
  it.each([
    [
      'a missing required argument with a default',
      {},
      { scale: 'css' },
      ['scale was missing, so its default "css" was used'],
    ],
    [
      'a null for an optional argument',
      { scale: 'css', verbose: null },
      { scale: 'css' },
      ['verbose was null, so it was left out'],
    ],
    ['a null for a required argument', { scale: null }, { scale: null }, []],
    [
      'a null for an argument that the schema does not name',
      { scale: 'css', x: null },
      { scale: 'css', x: null },
      [],
    ],
    ['nothing', { scale: 'device', verbose: true }, { scale: 'device', verbose: true }, []],
  ])('corrects %s', (_, args, mended, notes) => {
    expect(mendArguments(schema, args)).toEqual({ args: mended, notes })
  })

  it('does not fill in a default that was redacted', () => {
    expect(mendArguments({ ...schema, required: ['token'] }, {})).toEqual({ args: {}, notes: [] })
  })

  it('changes only arguments that do not match', () => {
    expect(validateArguments(schema, '{"scale":"css","note":null}')).toEqual({
      ok: true,
      args: { scale: 'css', note: null },
    })
    expect(validateArguments(schema, '{"verbose":null}')).toMatchObject({ ok: true, args: { scale: 'css' } })
    expect(validateArguments(schema, '{"path":1}')).toEqual({
      ok: false,
      problem: "The arguments do not match the tool's schema: path must be string.",
    })
  })
})
