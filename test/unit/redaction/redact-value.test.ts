import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactValue } from '../../../packages/agent-api/src/redaction/redact-value.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

describe('redactValue', () => {
  const redactor = createRedactor()
  redactor.add('123456789')
  redactor.add('hunter2-hunter2')

  it.each([
    ['a text', 'is hunter2-hunter2', 'is [redacted]'],
    ['a number', { pin: 123456789, n: 7 }, { pin: '[redacted]', n: 7 }],
    ['a number that holds it', [1_234_567_890.5], ['[redacted]']],
    ['a big integer', 99_123_456_789_000n, '[redacted]'],
    ['a key', { 'hunter2-hunter2': 1 }, { '[redacted]': 1 }],
    [
      'two keys that would become one',
      { 'hunter2-hunter2': 1, '123456789': 2 },
      { '[redacted]': 2, '[redacted] 2': 1 },
    ],
    [
      'deep inside',
      { a: [null, { b: ['hunter2-hunter2', true] }] },
      { a: [null, { b: ['[redacted]', true] }] },
    ],
    ['nothing', undefined, undefined],
  ])('%s', (_, value, redacted) => {
    expect(redactValue(value, redactor)).toEqual(redacted)
  })

  it('returns the same value if it contains no secret', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Object.is(redactValue(value, redactor), value)))
    const special = { nan: Number.NaN, zero: -0, none: undefined }
    expect(redactValue(special, redactor)).toBe(special)
  })

  it('keeps the parts without secrets', () => {
    const clean = { b: [1, 2] }
    expect((redactValue({ clean, dirty: 'hunter2-hunter2' }, redactor) as { clean: unknown }).clean).toBe(
      clean,
    )
  })

  it('does not set a prototype', () => {
    const value = JSON.parse('{"__proto__": {"x": "hunter2-hunter2"}}') as unknown
    expect(JSON.stringify(redactValue(value, redactor))).toBe('{"__proto__":{"x":"[redacted]"}}')
  })

  it('leaves out deeply nested values', () => {
    const nested = (depth: number): unknown =>
      JSON.parse(`${'['.repeat(depth)}"hunter2-hunter2"${']'.repeat(depth)}`)
    expect(JSON.stringify(redactValue(nested(200), redactor))).toContain('[redacted]')
    expect(JSON.stringify(redactValue(nested(201), redactor))).toContain('[too deep]')
    const endless: unknown[] = []
    endless.push(endless)
    expect(JSON.stringify(redactValue(endless, redactor))).toContain('[too deep]')
  })
})
