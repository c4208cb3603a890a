import { expect, test } from 'vitest'
import { fitText, textWidth } from '../../../../packages/cli/src/terminal/text-width.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['漢字', 4],
  ['한국', 4],
  ['👩‍🚀', 2],
  ['❤️', 2],
  ['…', 1],
])('%j takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['漢字漢', 5, '漢字…'],
  ['漢字漢', 4, '漢…'],
  ['abc', 0, ''],
])('%j in %i columns is %j', (text, columns, fitting) => {
  expect(fitText(text, columns)).toBe(fitting)
})
