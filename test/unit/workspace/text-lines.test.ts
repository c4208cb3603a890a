import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createTextLines,
  endingsOf,
  toLfText,
} from '../../../packages/agent-api/src/workspace/files/text-lines.ts'

const anyText = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\r\n', '\u{1F40E}'), maxLength: 40 })

test('a text has the lines and offsets of its original', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, place) => {
      const { starts } = createTextLines(text)
      expect(Array.from(starts)).toEqual([0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)])
      const lf = toLfText(text)
      expect(lf.text).toBe(text.replaceAll('\r\n', '\n'))
      if (place <= lf.text.length)
        expect(text.slice(0, lf.toOriginal(place)).replaceAll('\r\n', '\n')).toBe(lf.text.slice(0, place))
    }),
  )
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
])('the line endings of %j are %s', (text, endings) => {
  expect(endingsOf(text)).toBe(endings)
})
