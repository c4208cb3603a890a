import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonText, visible } from '../../../packages/console/src/page/text/visible.ts'
import { anyJson, anyText } from '../../support/any-text.ts'

const controlOrBidi =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('text from outside on the page', () => {
  it.each([
    ['plain', 'plain'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'link'],
    ['file\u202Egnp.exe', String.raw`file\u{202E}gnp.exe`],
    ['a\u0000b\u0007', String.raw`a\u{0000}b\u{0007}`],
    ['tag\u{E0041}', String.raw`tag\u{E0041}`],
    ['❤️ 👨‍👩‍👧 فارسی', '❤️ 👨‍👩‍👧 فارسی'],
  ])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))

  it('hides nothing', () => {
    fc.assert(fc.property(anyText(), (text) => !controlOrBidi.test(visible(text))))
  })

  it('is readable JSON with the same value', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        const text = jsonText(value)
        expect(controlOrBidi.test(text)).toBe(false)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})
