import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const workspace = join(import.meta.dirname, '../..')

function bench(args: readonly string[]): Promise<{ code: unknown; printed: string }> {
  const [program, script] = [join(workspace, 'node_modules/.bin/tsx'), join(workspace, 'test/bench/bench.ts')]
  return new Promise((resolve) => {
    execFile(program, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, printed: stdout + stderr }),
    )
  })
}

test.each([
  [['--peers', 'nosuch'], /^unknown agents: nosuch\. Known: .*\bgoose\b.*\n$/],
  [['--growth', 'turns', 'nosuch'], /^unknown curves: nosuch\. Known: turns, .*\n$/],
  [['--peers', '--rounds', '0'], /^--rounds needs a number from 1\n$/],
])('%j is refused in one line', async (args, line) => {
  const { code, printed } = await bench(args)
  expect(printed).toMatch(line)
  expect(code).toBe(2)
})
