import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createEndingsFit,
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

test('an added text gets the line ends of the next line, otherwise of the line before', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyText, { minLength: 1 }), (text, texts) => {
      const fit = createEndingsFit(text)
      for (let offset = 0; offset <= text.length; offset++) {
        const added = texts[offset % texts.length] ?? ''
        const end = [text.indexOf('\n', offset), text.lastIndexOf('\n')].find((at) => at !== -1) ?? -1
        const ending = end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n'
        expect(fit(offset, added)).toBe(added.replaceAll('\r\n', '\n').replaceAll('\n', ending))
      }
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
