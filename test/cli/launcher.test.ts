import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'
import { runOstler } from './run-ostler.ts'

/** A Node on this machine that is too old for Ostler, if there is one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path) && isOld(path))

function isOld(path: string): boolean {
  const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.').map(Number)
  return major < 22 || (major === 22 && minor < 16)
}

test('on a Node that is too old, the command says what to do instead, with exit code 1', async ({ skip }) => {
  if (oldNode === undefined) return skip('this machine has no Node older than 22.16 outside node_modules')
  for (const args of [['acp'], ['--help'], ['editor', 'zed']]) {
    const { code, stdout, stderr } = await runOstler(args, { node: oldNode })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(
      /^ostler needs Node\.js 22\.16 or newer; this is \d+\.\d+\.\d+ \(.+\)\.\nA suitable version is next to it: .+\n`npx .+ run link:command` .+\n$/,
    )
  }
})

test('compiled code is kept in the state directory, which only its owner can read', async () => {
  await using dir = await openTempDir()
  const cache = join(dir.path, 'compile-cache')
  const { code } = await runOstler(['acp', '--state-dir', dir.path], { env: { HOME: dir.path, NODE_COMPILE_CACHE: '' }, input: '' })
  expect(code).toBe(0)
  expect((await stat(cache)).mode & 0o777).toBe(0o700)
  expect(await readdir(cache, { recursive: true })).not.toEqual([])
})

test('compiled code is not taken from where others could have put it', async () => {
  await using dir = await openTempDir()
  await chmod(dir.path, 0o777)
  const { code } = await runOstler(['acp', '--state-dir', dir.path], { env: { HOME: dir.path, NODE_COMPILE_CACHE: '' }, input: '' })
  expect(code).toBe(0)
  expect(await readdir(join(dir.path, 'compile-cache')).catch(() => [])).toEqual([])
})
