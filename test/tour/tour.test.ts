import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the tour shows every step, plain in a pipe', async () => {
  const tsx = join(import.meta.dirname, '../../node_modules/.bin/tsx')
  const { stdout, stderr } = await promisify(execFile)(tsx, [join(import.meta.dirname, 'tour.ts')])
  expect(stdout).not.toContain('\u001B')
  expect(stdout.match(/^\d {2}.*$/gm)).toHaveLength(6)
  expect(stdout).toContain('"agent_servers"')
  expect(stderr).toBe('')
})
