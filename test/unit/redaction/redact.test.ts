import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { createStrike } from '../../../packages/agent-api/src/redaction/strike.ts'
import { anyText } from '../../support/any-text.ts'

describe('a redactor', () => {
  const secret = 'p4ss/w"rd+$^ é(1)!<&>'
  const redactor = createRedactor()
  redactor.add(secret)
  const form = new URLSearchParams({ k: secret }).toString().slice(2)
  const json = JSON.stringify(secret).slice(1, -1)
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  const base64 = Buffer.from(secret).toString('base64')

  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded with lowercase hex', lower(encodeURIComponent(secret))],
    ['URL-encoded but for slashes', encodeURIComponent(secret).replaceAll('%2F', '/')],
    ['form-encoded', form],
    ['form-encoded with lowercase hex', lower(form)],
    ['JSON-escaped', json],
    ['JSON-escaped as ASCII', json.replace('é', String.raw`\u00e9`)],
    ['JSON-escaped with slashes', json.replaceAll('/', String.raw`\/`)],
    [
      'JSON-escaped for HTML',
      json
        .replace('<', String.raw`\u003c`)
        .replace('&', String.raw`\u0026`)
        .replace('>', String.raw`\u003e`),
    ],
    ['in JSON inside of JSON', JSON.stringify(json).slice(1, -1)],
    ['base64', base64],
    ['base64 without padding', base64.replace(/=+$/, '')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in hex in upper case', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in hex with spaces', Buffer.from(secret).toString('hex').replace(/../g, '$& ').trim()],
    ['in hex with colons', Buffer.from(secret).toString('hex').replace(/../g, ':$&').slice(1)],
    ['URL-encoded in every byte', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
    [
      'as an escaped string',
      Buffer.from(secret)
        .toString('hex')
        .replace(/../g, String.raw`\x$&`),
    ],
    ['in upper case', secret.toUpperCase()],
    ['in lower case', secret.toLowerCase()],
    ['cut by zero-width characters', [...secret].join('\u200b')],
    ['cut by colors', [...secret].join('\u001b[31m')],
    ['cut and in base64', [...base64].join('\u2060')],
  ])('redacts a secret %s', (_, form) => {
    expect(redactor.redact(`before ${form} after ${form}`)).toBe('before [redacted] after [redacted]')
  })

  it('redacts a secret of a hundred thousand characters as a whole', () => {
    const long = createRedactor()
    const secret = Array.from({ length: 25_000 }, (_, index) => index.toString(36)).join('/')
    long.add(secret)
    expect(long.redact(`a ${secret} b ${encodeURIComponent(secret)} c`)).toBe('a [redacted] b [redacted] c')
    expect(long.openEnd(`a ${secret.slice(0, 100)}`)).toBe(100)
  })

  it('leaves nothing of a longer secret that contains a shorter one', () => {
    const both = createRedactor()
    both.add('abcdef')
    both.add('abcdefghijkl')
    expect(both.redact('abcdefghijkl abcdef abcdefghi')).toBe('[redacted] [redacted] [redacted]ghi')
  })

  it('does not redact common values', () => {
    const short = createRedactor()
    short.add('1')
    short.add('')
    expect(short.redact('1 and 1')).toBe('1 and 1')
  })

  it('returns a text without secrets unchanged, and finds a secret that contains hidden characters', () => {
    const hiding = createRedactor()
    hiding.add('\u0007s3cr3t\u200bvalue\r\n')
    expect(hiding.redact('a\u200bb')).toBe('a\u200bb')
    expect(hiding.redact('is \u0007s3cr3t\u200bvalue.')).toBe('is [redacted].')
    expect(hiding.redact('is s3cr3tvalue.')).toBe('is [redacted].')
  })

  it('redacts a secret that is added later', () => {
    const late = createRedactor()
    late.add('first-one')
    expect(late.redact('first-one second-one')).toBe('[redacted] second-one')
    late.add('second-one')
    expect(late.redact('first-one second-one')).toBe('[redacted] [redacted]')
  })

  it('also knows a value without its final line break, and a key by each of its lines', () => {
    const multi = createRedactor()
    multi.add('t0ken-of-a-file\n')
    multi.add(
      '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\nabc=\n-----END KEY-----\n',
    )
    expect(multi.redact('is t0ken-of-a-file.')).toBe('is [redacted].')
    expect(multi.redact('  MIIEvQIBADANBgkqhkiG9w0B\r\n  AQEFAASCBKcwggSjAgEAAoIB')).toBe(
      '  [redacted]\r\n  [redacted]',
    )
    expect(multi.redact('-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----')
  })

  it('accepts any secret', () => {
    fc.assert(
      fc.property(anyText({ minLength: 6 }), (text) => {
        const any = createRedactor()
        any.add(text)
        expect(any.redact(text)).toBe('[redacted]')
        expect(any.redact(JSON.stringify(text))).toBe('"[redacted]"')
      }),
    )
  })
})

describe('createStrike', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F511}'), minLength: 3, maxLength: 9 })

  it('does the same as a regular expression of all needles, longest first', () => {
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\u{1F511}'), maxLength: 200 }),
        (needles, text) => {
          const pattern = new RegExp(needles.toSorted((a, b) => b.length - a.length).join('|'), 'g')
          expect(createStrike(needles, '#')(text)).toBe(text.replace(pattern, '#'))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('finds a needle in any case, at its position in the text', () => {
    for (const needle of ['İstanbul', 'ΟΔΟΣ', 'Straße', 'ǅungla', '\u{10400}\u{10401}']) {
      for (const written of [needle, needle.toUpperCase(), needle.toLowerCase()].filter(
        ({ length }) => length === needle.length,
      )) {
        expect(createStrike([needle], '#')(`İΣ ${written} ςİ`)).toBe('İΣ # ςİ')
      }
    }
  })

  it('returns the same text when there is nothing to replace', () => {
    expect(createStrike([], '#')('abc')).toBe('abc')
    expect(createStrike(['abcd'], '#')('')).toBe('')
    expect(createStrike(['abcd'], '#')('abc')).toBe('abc')
  })

  it('scans a large text with many secrets only once', () => {
    const needles = Array.from(
      { length: 10_000 },
      (_, index) => `sk-ant-api03-${String(index * 7_919).padStart(12, '0')}`,
    )
    const text = 'sk-ant-api03-'.repeat(400_000)
    expect(createStrike(needles, '#')(`${text}${needles[77]}`)).toBe(`${text}#`)
  })
})
