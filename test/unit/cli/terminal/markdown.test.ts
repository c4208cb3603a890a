import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  endMarkdown,
  feedMarkdown,
  markdownStart,
  saidRows,
} from '../../../../packages/cli/src/terminal/markdown.ts'
import { plain, styleFor } from '../../../../packages/cli/src/terminal/style.ts'
import { textWidth } from '../../../../packages/cli/src/terminal/text-width.ts'

const styled = styleFor({ isTTY: true }, {})

function render(pieces: readonly string[], columns: number, style = plain): readonly string[] {
  let state = markdownStart
  const rows: string[] = []
  for (const piece of pieces) {
    const step = feedMarkdown(state, piece, { columns, style })
    rows.push(...step.rows)
    state = step.state
  }
  return [...rows, ...endMarkdown(state, { columns, style })]
}

test.each([
  ['a paragraph is wrapped at spaces', 'one two three four', 9, ['one two', 'three', 'four']],
  ['a long word is broken', 'abcdefghij k', 4, ['abcd', 'efgh', 'ij k']],
  ['the rows of a list item are indented', '- one two three', 9, ['- one two', '  three']],
  ['a quote keeps its mark', '> one two three', 9, ['> one two', '> three']],
  [
    'code is left as it is',
    '```sh\n  a very long line of code\n```\nafter',
    10,
    ['```sh', '  a very long line of code', '```', 'after'],
  ],
  ['wide characters count as two', '漢字漢字', 4, ['漢字', '漢字']],
  [
    'a table has columns',
    '| a | bb |\n|---|---|\n| ccc | d |\nend',
    40,
    ['a   | bb', '--- | ---', 'ccc | d', 'end'],
  ],
  [
    'the widest column of a table that does not fit has several rows',
    '| a | many words here, so many | b |\n| --- | -------------------------- | --- |\n| c | few words | d |',
    24,
    [
      'a   | many words   | b',
      '    | here, so     |',
      '    | many         |',
      '--- | ------------ | ---',
      'c   | few words    | d',
    ],
  ],
  ['an empty cell stays empty', '| a | b |\n|---|---|\n| c | |', 40, ['a   | b', '--- | ---', 'c   |']],
  [
    'a table whose columns would be too narrow stays as it is',
    '| a | bbbbbbbbbbbbbb |',
    9,
    ['| a |', 'bbbbbbbbb', 'bbbbb |'],
  ],
  ['without styles, the marks stay', '# A **b** `c`', 40, ['# A **b** `c`']],
])('%s', (_, text, columns, rows) => {
  expect(render([text], columns)).toEqual(rows)
})

test.each([
  ['**bold** and *italic*', 'bold and italic'],
  ['`a_b` and snake_case_name', 'a_b and snake_case_name'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['## Title', 'Title'],
  ['__init__', 'init'],
])('with styles, the marks of %j become styles', (text, shown) => {
  const rows = render([text], 80, styled)
  expect(rows.map(stripVTControlCharacters)).toEqual([shown])
})

test('with styles, code is indented in place of its fence, however it is fenced', () => {
  const rows = render(['a\n```sh\ncode\n~~~\n```\nb\n~~~~\n~~~\n~~~~\n'], 80, styled)
  expect(rows.map(stripVTControlCharacters)).toEqual(['a', '  code', '  ~~~', 'b', '  ~~~'])
})

test('plain text keeps its backslashes and marks', () => {
  const text = 'C:\\.config **or**\n  a\\.b `c\\.d`'
  expect(saidRows(text, [], { columns: () => 12, style: plain })).toEqual([
    'C:\\.config',
    '**or**',
    '  a\\.b',
    '  `c\\.d`',
  ])
})

const texts = fc.array(
  fc.constantFrom(
    'a',
    ' ',
    'word',
    '\n',
    '*',
    '**',
    '_',
    '`',
    '```',
    '```\n',
    '- ',
    '1. ',
    '# ',
    '> ',
    '| ',
    '|',
    '漢',
    '👩‍🚀',
    '\t',
    '\\',
  ),
  { maxLength: 60 },
)

test('the pieces in which a text arrives change nothing', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 4, max: 30 }), fc.boolean(), (pieces, columns, isStyled) => {
      const style = isStyled ? styled : plain
      expect(render(pieces, columns, style)).toEqual(render([pieces.join('')], columns, style))
    }),
    { examples: [[['1. ', '**', 'a'], 4, true]] },
  )
})

test('no row but one of code is wider than the terminal', () => {
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.filter((piece) => !piece.startsWith('```')).join('')
      const rows = text.includes('```') ? [] : render([text], 30, styled)
      for (const row of rows) expect(textWidth(stripVTControlCharacters(row))).toBeLessThanOrEqual(30)
    }),
  )
})
