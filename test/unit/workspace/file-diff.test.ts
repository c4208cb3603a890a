import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { createTextCleaner } from '../../../packages/agent-api/src/redaction/text-cleaner.ts'
import { changeBetween, toFileDiff } from '../../../packages/agent-api/src/workspace/files/file-diff.ts'

const part = fc
  .tuple(fc.constantFrom('', 'a', 'ab'), fc.nat(9_000))
  .map(([text, count]) => text.repeat(count))

it('the change between two texts is everything between their common start and end', () => {
  fc.assert(
    fc.property(part, part, part, part, (start, old, now, end) => {
      const [before, after] = [`${start}${old}${end}`, `${start}${now}${end}`]
      const [change = { oldStart: -1, oldEnd: -1, newStart: -1, newEnd: -1 }] = changeBetween(before, after)
      const { oldStart, oldEnd, newStart, newEnd } = change
      expect(after).toBe(before.slice(0, oldStart) + after.slice(newStart, newEnd) + before.slice(oldEnd))
      expect(before.length - oldEnd).toBe(after.length - newEnd)
      // Neither the first nor the last character of what changed is common to both.
      const [removed, added] = [before.slice(oldStart, oldEnd), after.slice(newStart, newEnd)]
      if (removed === '' || added === '') return
      expect(removed[0]).not.toBe(added[0])
      expect(removed.at(-1)).not.toBe(added.at(-1))
    }),
    { numRuns: 200 },
  )
})

it('only the surroundings of a change in a very long line are shown', async () => {
  const long = 'x'.repeat(1_000_000)
  const [old, now] = [`first\n${long}old${long}\nlast\n`, `first\n${long}new!${long}\nlast\n`]
  const diff = toFileDiff(
    '/a',
    { oldText: old, newText: now, changes: changeBetween(old, now) },
    createTextCleaner(createRedactor()),
  )
  const around = 'x'.repeat(2_000)
  const text = (changed: string) =>
    expect.stringMatching(
      new RegExp(
        `^\\[… 998006 unchanged characters …\\]${around}${changed}${around}\\[… 998\\d+ unchanged characters …\\]$`,
      ),
    )
  expect(diff).toEqual({ type: 'diff', path: '/a', oldText: text('old'), newText: text('new!') })
})

it('no half of a secret is left where a diff of a very long line is cut, or a removed text is shortened', async () => {
  const redactor = createRedactor()
  redactor.add('correct-horse-battery')
  const cleaner = createTextCleaner(redactor)
  const show = (old: string, now: string) =>
    toFileDiff('/a', { oldText: old, newText: now, changes: changeBetween(old, now) }, cleaner)
  const around = (changed: string) =>
    `${'x'.repeat(90_000)}correct-horse-battery${'y'.repeat(1_990)}${changed}${'y'.repeat(1_990)}correct-horse-battery${'x'.repeat(90_000)}`
  const cut = show(around('old'), around('new!'))
  expect(cut.newText).toContain('new!')
  expect(`${cut.oldText}${cut.newText}`).not.toMatch(/correct|horse|battery/)
  const half = 'z'.repeat(32 * 1024 - 10)
  const removed = show(
    `a\n${half}correct-horse-battery${'-'.repeat(9_000)}correct-horse-battery${half}\n`,
    'a\n',
  )
  expect(removed.oldText).toContain('more characters of the old text')
  expect(removed.oldText).not.toMatch(/correct|horse|battery/)
})
