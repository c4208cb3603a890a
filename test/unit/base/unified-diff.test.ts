import { expect, test } from 'vitest'
import { unifiedDiff } from '../../../packages/agent-api/src/base/unified-diff.ts'

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
