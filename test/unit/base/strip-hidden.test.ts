import { expect, test } from 'vitest'
import { hasUnseen, showHidden, stripHidden } from '../../../packages/agent-api/src/base/strip-hidden.ts'
import { visible } from '../../../packages/console/src/page/text/visible.ts'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'

/** What Unicode calls ignorable or a control, and what only looks empty: annotations, marks of hieroglyphs, the blank of Braille. */
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800\u{13430}-\u{1343f}]$/u
const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const hidden = characters.filter((character) => unseen.test(character))
const hexOf = (found: readonly string[]) => found.map((character) => character.codePointAt(0)?.toString(16))
/** The characters that a function changes, each in a place of its own. */
const changedBy = (change: (text: string) => string) => {
  const changed = change(characters.filter((character) => character !== '\t').join('\t')).split('\t')
  return characters.filter((character) => character !== '\t').filter((character, index) => changed[index] !== character)
}

test('every character that Unicode calls ignorable or a control is hidden, and no other one', () => {
  const expected = hexOf(hidden.filter((character) => !/[\t\n]/.test(character)))
  expect(hexOf(changedBy(stripHidden))).toEqual(expected)
  expect(hexOf(changedBy(showHidden))).toEqual(expected)
  expect(hexOf(hidden.filter((character) => !hasUnseen(`na${character}me`)))).toEqual([])
  expect(hasUnseen('read file/ä')).toBe(false)
})

test('the page shows all of them, except what joins letters and emoji', () => {
  expect(hexOf(changedBy(visible))).toEqual(hexOf(hidden.filter((character) => !/[\t\n\r]|\u200c|\u200d|\ufe0f/.test(character))))
})

test('a secret is found through each of them, except the one that stands for a space', () => {
  const redactor = createRedactor()
  redactor.add('hunter2-of-élan')
  const split = hidden.filter((character) => !/[\t\n\u2800]/.test(character))
  expect(hexOf(split.filter((character) => redactor.redact(`hunter2-of-${character}élan`) !== '[redacted]'))).toEqual([])
  expect(stripHidden('\u28ff\u2800\u28ff')).toBe('\u28ff \u28ff')
})
