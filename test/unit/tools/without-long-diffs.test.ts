import { expect, it } from 'vitest'
import { withoutLongDiffs } from '../../../packages/agent-api/src/tools/without-long-diffs.ts'

it('a diff that is too long to show is replaced by its length', () => {
  const long = { type: 'diff', path: '/a', oldText: 'x'.repeat(200_000), newText: 'y'.repeat(100_001) } as const
  const short = { type: 'diff', path: '/b', oldText: null, newText: 'y' } as const
  expect(withoutLongDiffs([long, short])).toEqual([
    { type: 'text', text: '[What this changes is too large to show: 300,001 characters.]' },
    short,
  ])
})
