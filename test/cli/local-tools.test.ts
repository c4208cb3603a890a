import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'
import { runOstler } from './run-ostler.ts'

/** Calls the tool `count` of a module, with the answer as the offline model gives it. */
async function callTool(name: string, source: string): Promise<string> {
  await using dir = await openTempDir()
  await writeFile(
    join(dir.path, 'agent.yaml'),
    `model: offline\nlocalTools: [./${name}]\ntoolbox: { tools: [{ name: count }] }\n`,
  )
  await writeFile(join(dir.path, name), source)
  const { stdout, stderr } = await runOstler(
    [
      'run',
      '/call count {}',
      '--approve',
      'auto',
      '--agent',
      'agent.yaml',
      '--state-dir',
      join(dir.path, 'state'),
    ],
    { cwd: dir.path },
  )
  return stdout + stderr.replace('✓ count\n', '')
}

const count = `defineTool({ name: 'count', description: 'Counts', inputSchema: { type: 'object' }, execute: () => 'three' })`
const answer = '`count` answered:\n\n> three\n'

test.each([
  ['by a name', `exports.count = ${count}`],
  ['itself', `module.exports = ${count}`],
])('a CommonJS module exports its local tool %s', async (_how, statement) => {
  const required = "const { defineTool } = require('@ostler/agent-api')"
  expect(await callTool('count.cjs', `${required}\n${statement}\n`)).toBe(answer)
})

test('a local tool that is exported under two names is one tool', async () => {
  const source = `import { defineTool } from '@ostler/agent-api'\nexport const count = ${count}\nexport default count\n`
  expect(await callTool('count.mjs', source)).toBe(answer)
})
