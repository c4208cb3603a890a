import { spawnSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseShellLine } from '../../packages/agent-api/src/policy/always-allow/parse-shell-line.ts'
import { openTempDir } from '../support/temp-dir.ts'

const pieces = `npm test a -x --y=z HEAD~1 "a b" 'c d' "" '' ~/x x=~ {a,b} $HOME "$x" \\ $ \` ( ) ; & | < > # ~ * ? [ ] { } ! % ^ = + , . / : @ .. =ls - -- a=b 2> " '`
const piece = fc.constantFrom(...pieces.split(' '), ' ', '  ', '\n', '\t', '\r', 'é')
const line = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => `print-words ${parts.join('')}`)

test('a shell runs a line that is parsed as one program with exactly these words, and does nothing else', async () => {
  await using dir = await openTempDir()
  const [bin, work] = [join(dir.path, 'bin'), join(dir.path, 'work')]
  await Promise.all([mkdir(bin), mkdir(work)])
  const script = `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done\nprintf 'end\\0'\n`
  await writeFile(join(bin, 'print-words'), script, { mode: 0o755 })
  const parsed = line.filter((each) => parseShellLine(each) !== undefined)
  fc.assert(
    fc.property(parsed, (each) => {
      const { stdout } = spawnSync('/bin/sh', ['-c', each], {
        cwd: work,
        env: { PATH: `${bin}:/usr/bin:/bin` },
        encoding: 'utf8',
      })
      const words = (parseShellLine(each) ?? []).slice(1).map(({ text }) => `${text}\0`)
      expect(stdout).toBe(`${words.join('')}end\0`)
    }),
    { numRuns: 120 },
  )
  expect(await readdir(work)).toEqual([])
})
