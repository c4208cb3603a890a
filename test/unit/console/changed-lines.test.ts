import { expect, it } from 'vitest'
import { toChangedLines } from '../../../packages/console/src/page/text/changed-lines.ts'

const signs = { same: ' ', removed: '-', added: '+', place: '~' } as const
const shown = (before: string, after: string) =>
  toChangedLines(before, after).map(({ kind, text }) => `${signs[kind]}${text}`)

it('shows what changed, between a few equal lines', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`)
  const before = lines.join('\n')
  const after = lines.toSpliced(5, 2, 'new').join('\n')
  expect(shown(before, after)).toEqual([
    '~2 unchanged lines',
    ' line 2',
    ' line 3',
    ' line 4',
    '-line 5',
    '-line 6',
    '+new',
    ' line 7',
    ' line 8',
    ' line 9',
    '~2 unchanged lines',
  ])
})

it('shows lines that were only added or removed, and repeated ones', () => {
  expect(shown('a\na\nb', 'a\na\na\nb')).toEqual([' a', ' a', '+a', ' b'])
  expect(shown('', 'a')).toEqual(['+a'])
  expect(shown('a\nb', 'a')).toEqual([' a', '-b'])
})

it('shows a final newline only where it is the difference', () => {
  expect(shown('', 'a\nb\n')).toEqual(['+a', '+b'])
  expect(shown('a\nb\n', 'a\nc\n')).toEqual([' a', '-b', '+c'])
  expect(shown('a\n', 'a')).toEqual([' a', '+(no newline at the end)'])
  expect(shown('a', 'a\n')).toEqual([' a', '-(no newline at the end)'])
  expect(shown('a\n', 'a\n\n')).toEqual([' a', '+'])
})
