import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the tool search prints nothing to stderr', () => {
  const file = new URL('../../packages/agent-api/src/tools/tool-search.ts', import.meta.url).href
  const script = `const { createToolSearch } = await import(${JSON.stringify(file)}); await createToolSearch([]); process.stdout.write('done')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({ stdout: 'done', stderr: '' })
})
