import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'

const tsx = join(import.meta.dirname, '../../node_modules/.bin/tsx')
const tour = join(import.meta.dirname, 'tour.ts')

it("the tour shows every step, plain in a pipe, without the person's settings and state", async () => {
  await using home = await openTempDir()
  await mkdir(join(home.path, 'config', 'ostler'), { recursive: true })
  await writeFile(join(home.path, 'config', 'ostler', 'ostler.yaml'), 'colour: red\n')
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: join(home.path, 'config'),
    XDG_STATE_HOME: join(home.path, 'state'),
    OSTLER_AGENT: '/no/such/agent.yaml',
    OSTLER_MODEL: 'nosuch/model',
    OSTLER_MAX_STEPS: 'many',
  }
  const { stdout, stderr } = await promisify(execFile)(tsx, [tour], { env })
  expect(stdout).not.toContain('\u001B')
  expect(stdout.match(/^\d {2}.*$/gm)).toHaveLength(6)
  expect(stdout).toMatch(/^ {4}Ostler: \d+ tools\n {4}files: \d+ tools\n {4}everything: \d+ tools$/m)
  expect(stdout).toContain('"agent_servers"')
  expect(stderr).toBe('')
  expect(await readdir(home.path)).toEqual(['config'])
})
