import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { openFence } from '../../packages/agent-api/src/fence/open-fence.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const run = promisify(execFile)

describe.skipIf(inject('fenceProblem') !== undefined)('in a fence', () => {
  test('a variable of a program loads nothing into bubblewrap itself', async () => {
    await using temp = await openTempDir()
    const [project, outside] = [join(temp.path, 'project'), join(temp.path, 'outside')]
    for (const folder of [project, outside]) await mkdir(folder)
    const fence = await openFence('required', { writable: [project] })
    // The loader of a program writes this file, wherever the program runs.
    const env = { LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(outside, 'loaded') }
    const shell = { command: '/bin/sh', args: ['-c', 'echo $LD_DEBUG'] }
    const fenced = fence.enclose(shell, project, env)
    const { stdout } = await run(fenced.command, fenced.args, { env: fenced.env })
    fenced.release()
    expect(stdout).toMatch(/^libs$/m)
    expect(await readdir(outside)).toEqual([])
  })

  test('a placeholder stays while the fence of another process needs it', async () => {
    await using temp = await openTempDir()
    const fence = await openFence('required', { writable: [temp.path] })
    const fenced = fence.enclose({ command: 'cat', args: [] }, temp.path, {})
    const child = spawn(fenced.command, fenced.args, { stdio: ['pipe', 'ignore', 'inherit'] })
    const { ino } = statSync(temp.path)
    await until('the fence to stand', async () => readFileSync('/proc/locks', 'utf8').includes(`:${ino} `))
    const there = await readdir(temp.path)
    expect(there).toContain('.vscode')
    const module = fileURLToPath(new URL('../../packages/agent-api/src/fence/open-fence.ts', import.meta.url))
    const script = `
      import { openFence } from '${module}'
      const fence = await openFence('required', { writable: ['${temp.path}'] })
      fence.enclose({ command: 'true', args: [] }, '/', {}).release()`
    await run(process.execPath, ['--input-type=module', '-e', script])
    expect((await readdir(temp.path)).toSorted()).toEqual(there.toSorted())
    child.stdin.end()
    await once(child, 'close')
    fenced.release()
    await until('nothing to be left', async () => (await readdir(temp.path)).length === 0)
  })

  test('a program starts where the system allows fewer processes than a fence', async ({ skip }) => {
    if (!existsSync('/usr/bin/prlimit')) skip('this machine does not have prlimit')
    const probe = fileURLToPath(new URL('../../packages/agent-api/src/fence/probe-fence.ts', import.meta.url))
    const script = `console.log((await (await import('${probe}')).probeFence()).by)`
    const args = ['--nproc=4000:4000', process.execPath, '--input-type=module', '-e', script]
    expect((await run('prlimit', args)).stdout).toBe('bubblewrap\n')
  })
})
