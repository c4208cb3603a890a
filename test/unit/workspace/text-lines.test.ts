import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createTextLines, endingsOf, partsOf, toLfText } from '../../../packages/agent-api/src/workspace/files/text-lines.ts'

/** Texts that are longer than a part, with anything at its end. */
const long = fc
  .tuple(
    fc.integer({ min: 65_530, max: 65_540 }),
    fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\r\n', '\u{1F40E}'), maxLength: 40 }),
  )
  .map(([length, rest]) => 'x'.repeat(length) + rest + rest)

describe('a long text', () => {
  it('is divided between lines and characters', () => {
    fc.assert(
      fc.property(long, (text) => {
        const parts = [...partsOf(text)]
        expect(parts.join('')).toBe(text)
        for (const part of parts) expect(part.isWellFormed()).toBe(true)
        expect(parts.map((part) => part.replaceAll('\r\n', '\n')).join('')).toBe(text.replaceAll('\r\n', '\n'))
      }),
    )
  })

  it('has the lines and offsets that it has as a whole', async () => {
    await fc.assert(
      fc.asyncProperty(long, async (text) => {
        const { starts } = await createTextLines(text)
        expect(Array.from(starts)).toEqual([0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)])
        const lf = await toLfText(text)
        expect(lf.text).toBe(text.replaceAll('\r\n', '\n'))
        for (const place of [0, 65_535, lf.text.length]) {
          if (place <= lf.text.length) expect(text.slice(0, lf.toOriginal(place)).replaceAll('\r\n', '\n')).toBe(lf.text.slice(0, place))
        }
      }),
    )
  })
})

test.each([
  ['', 'none'],
  ['a', 'none'],
  ['a\rb', 'none'],
  ['a\n', 'lf'],
  ['\n\n', 'lf'],
  ['a\r\n', 'crlf'],
  ['\r\n\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
  ['\n\r\n', 'mixed'],
])('the line endings of %j are %s', async (text, endings) => {
  expect(await endingsOf(text)).toBe(endings)
})
