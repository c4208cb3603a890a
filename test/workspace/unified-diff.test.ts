import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unifiedDiff } from '../../packages/agent-api/src/base/unified-diff.ts'
import { openTempDir } from '../support/temp-dir.ts'

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
      expect(await readFile(join(dir.path, 'a'), 'utf8')).toBe(after)
    }),
    { numRuns: 12 },
  )
})
