import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../packages/agent-api/src/base/unified-diff.ts'
import { openTempDir } from '../../support/temp-dir.ts'

test('equal texts have no diff', () => {
  expect(unifiedDiff('a', 'x\n', 'x\n')).toBe('')
})

test('changes are shown with context', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`)
  const after = lines.toSpliced(4, 1, 'five\n').toSpliced(17, 1)
  expect(unifiedDiff('ostler.yaml', lines.join(''), after.join(''))).toBe(`--- ostler.yaml
+++ ostler.yaml
@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+five
 line 6
 line 7
 line 8
@@ -15,6 +15,5 @@
 line 15
 line 16
 line 17
-line 18
 line 19
 line 20
`)
})

test('a new file, and a deleted one', () => {
  expect(unifiedDiff('a', '', 'x\ny\n')).toBe('--- a\n+++ a\n@@ -0,0 +1,2 @@\n+x\n+y\n')
  expect(unifiedDiff('a', 'x', '')).toBe('--- a\n+++ a\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file\n')
})

test('git applies the diff to get the other text', async () => {
  await using dir = await openTempDir()
  const line = fc.constantFrom('a', 'b', 'c', '', '  d', '-', '+x', '@@')
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.map((one) => `${one}\n`).join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      fc.pre(before !== after && before !== '' && after !== '')
      await writeFile(join(dir.path, 'a'), before)
      const diff = unifiedDiff('a', before, after)
      execFileSync('git', ['apply', '--unidiff-zero', '-p0', '-'], {
        cwd: dir.path,
        input: diff,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { GIT_DIR: '/nowhere', PATH: process.env['PATH'] },
      })
      expect(execFileSync('cat', ['a'], { cwd: dir.path, encoding: 'utf8' })).toBe(after)
    }),
    { numRuns: 12 },
  )
})
