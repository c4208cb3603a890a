import { expect, test } from 'vitest'
import { hasUnseen, showHidden, stripHidden } from '../../../packages/agent-api/src/base/strip-hidden.ts'
import { visible } from '../../../packages/console/src/page/text/visible.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

/** Characters that Unicode calls ignorable or a control, and those that only look empty: annotations, marks of hieroglyphs, the blank of Braille. */
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800\u{13430}-\u{1343f}]$/u
/** Planes with such characters. Of the other planes, which are rare letters or nothing, a few hundred characters will do. */
const wholePlanes = new Set([0, 1, 14])
const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => wholePlanes.has(code >> 16) || code % 0x7ff === 0)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const hidden = characters.filter((character) => unseen.test(character))
const hexOf = (found: readonly string[]) => found.map((character) => character.codePointAt(0)?.toString(16))
/** The characters that a function changes, each in a place of its own. */
const changedBy = (change: (text: string) => string) => {
  const changed = change(characters.filter((character) => character !== '\t').join('\t')).split('\t')
  return characters
    .filter((character) => character !== '\t')
    .filter((character, index) => changed[index] !== character)
}

test('every character that Unicode calls ignorable or a control is hidden, and no other one', () => {
  const expected = hexOf(hidden.filter((character) => !/[\t\n]/.test(character)))
  expect(hexOf(changedBy(stripHidden))).toEqual(expected)
  expect(hexOf(changedBy(showHidden))).toEqual(expected)
  expect(hexOf(hidden.filter((character) => !hasUnseen(`na${character}me`)))).toEqual([])
  expect(hasUnseen('read file/ä')).toBe(false)
})

test('the page shows all of them, except what joins letters and emoji', () => {
  expect(hexOf(changedBy(visible))).toEqual(
    hexOf(hidden.filter((character) => !/[\t\n\r]|\u200c|\u200d|\ufe0f/.test(character))),
  )
})

test('a secret is found through each of them, except the one that stands for a space', () => {
  const redactor = createRedactor()
  redactor.add('hunter2-of-élan')
  const split = hidden.filter((character) => !/[\t\n\u2800]/.test(character))
  expect(
    hexOf(split.filter((character) => redactor.redact(`hunter2-of-${character}élan`) !== '[redacted]')),
  ).toEqual([])
  expect(stripHidden('\u28ff\u2800\u28ff')).toBe('\u28ff \u28ff')
})

test.each([
  ['plain text', 'plain text'],
  ['tab\tand\nnewline', 'tab\tand\nnewline'],
  ['Grüße, 你好, привет', 'Grüße, 你好, привет'],
  ['bell\u0007 and \u0000', 'bell and '],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]8;;http://evil\u0007link\u001b]8;;\u0007', 'link'],
  ['zero\u200bwidth\u200d\u2060\ufeff', 'zerowidth'],
  ['\u202eright to left\u202c', 'right to left'],
  ['\u2066isolated\u2069', 'isolated'],
  ['tagged\u{e0001}\u{e0041}\u{e007f}', 'tagged'],
  ['variation\ufe0f\u{e0100}', 'variation'],
  ['soft\u00adhyphen', 'softhyphen'],
  ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
  ['😀', '😀'],
  ['Windows\r\nand\rnot', 'Windows\r\nandnot'],
  ['❤️ 👩🏽‍🚀 👨‍👩‍👧 1️⃣ ✔️', '❤️ 👩🏽‍🚀 👨‍👩‍👧 1️⃣ ✔️'],
  ['❤️\ufe0f\u200d\u200d', '❤️'],
  ['می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
  ['می\u200c\u200c', 'می\u200c'],
  ['\u009b31mred\u009b0m', 'red'],
])('%j becomes %j', (text, expected) => {
  expect(stripHidden(text)).toBe(expected)
  expect(stripHidden(expected)).toBe(expected)
})
