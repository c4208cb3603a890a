import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
  realpath,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ostlerStart } from '../support/ostler-script.ts'
import { openAcpProcess } from '../support/acp-process.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runOstler } from './run-ostler.ts'

const noteLoaded = join(import.meta.dirname, '../fixtures/note-loaded.cjs')

/** A Node on this machine that is too old for Ostler, if there is one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path) && isOld(path))

function isOld(path: string): boolean {
  const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    .split('.')
    .map(Number)
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

test('each moment of a start loads one file, and only what it needs of Node', async () => {
  await using dir = await openTempDir()
  const notes = join(dir.path, 'notes')
  await writeFile(notes, '')
  await using editor = await openAcpProcess({ nodeArgs: ['--require', noteLoaded], env: { NOTES: notes } })
  await editor.initialize()
  await editor.newSession({ cwd: dir.path })
  const [initialized, opened] = (await readFile(notes, 'utf8'))
    .split('\n', 2)
    .map((line) => JSON.parse(line) as { files: string[]; modules: string[] })
  expect(initialized?.files).toEqual(['ostler.js', 'rolldown-runtime.js', 'launch.js', 'start.js'])
  // On a busy machine, the watchdog may have started.
  expect(opened?.files.slice(4).filter((file) => file !== 'start-exit-watchdog.js')).toEqual(['session.js'])
  const unused = [
    'child_process',
    'crypto',
    'fs/promises',
    'http',
    'internal/webstreams/readablestream',
    'perf_hooks',
  ]
  for (const name of unused) expect(opened?.modules).not.toContain(name)
  expect(initialized?.modules).not.toContain('sqlite')
})

test('compiled code is kept in the state directory, which only its owner can read', async () => {
  await using dir = await openTempDir()
  const cache = join(dir.path, 'compile-cache')
  const { code } = await runOstler(['acp', '--state-dir', dir.path], {
    env: { HOME: dir.path, NODE_COMPILE_CACHE: '' },
    input: '',
  })
  expect(code).toBe(0)
  expect((await stat(cache)).mode & 0o777).toBe(0o700)
  expect(await readdir(cache, { recursive: true })).not.toEqual([])
})

test('compiled code is not taken from where others could have put it', async () => {
  await using dir = await openTempDir()
  await chmod(dir.path, 0o777)
  const { code } = await runOstler(['acp', '--state-dir', dir.path], {
    env: { HOME: dir.path, NODE_COMPILE_CACHE: '' },
    input: '',
  })
  expect(code).toBe(0)
  expect(await readdir(join(dir.path, 'compile-cache')).catch(() => [])).toEqual([])
})

const start = promisify(execFile)
/** The environment of an editor that was started from a desktop. */
const smallEnv = { PATH: '/usr/bin:/bin', HOME: '/proc/nowhere' }

describe.skipIf(process.platform === 'win32')('the command that editors start', () => {
  test('it runs from anywhere, through links, with the Node of its workspace', async () => {
    await using dir = await openTempDir()
    await symlink(ostlerStart, join(dir.path, 'first'))
    await symlink('first', join(dir.path, 'second link'))
    for (const path of [ostlerStart, join(dir.path, 'first'), join(dir.path, 'second link')])
      expect((await start(path, ['--version'], { cwd: '/', env: smallEnv })).stdout).toMatch(
        /^\d+\.\d+\.\d+\n$/,
      )
  })

  /** A copy in a folder where it is installed, */
  async function install(path: string, folder: string): Promise<string> {
    const dist = join(path, folder, 'node_modules/@ostler/cli/dist')
    await mkdir(dist, { recursive: true })
    await copyFile(ostlerStart, join(dist, 'ostler'))
    await writeFile(join(dist, 'ostler.js'), '')
    return join(dist, 'ostler')
  }

  async function addNode(folder: string, says: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'node'), `#!/bin/sh\nshift\necho ${says} "$@"\n`, { mode: 0o755 })
  }

  test('installed by npm, it takes the Node beside it, and otherwise that on the PATH', async () => {
    await using dir = await openTempDir()
    const command = await install(dir.path, "pre'fix/lib")
    const path = join(dir.path, 'bin')
    await addNode(path, 'path')
    const env = { PATH: `${path}:/usr/bin:/bin` }
    expect((await start(command, ['a b', 'c'], { env })).stdout).toBe('path a b c\n')
    await addNode(join(dir.path, "pre'fix/bin"), 'prefix')
    expect((await start(command, ['acp'], { env })).stdout).toBe('prefix acp\n')
  })

  test('a CDPATH of the shell does not lead to another folder', async () => {
    await using dir = await openTempDir()
    const command = await install(dir.path, 'project')
    const path = join(dir.path, 'path')
    await mkdir(join(path, 'dist'), { recursive: true })
    await addNode(path, 'path')
    await writeFile(join(path, 'node'), '#!/bin/sh\necho "$1"\n')
    const env = { PATH: `${path}:/usr/bin:/bin`, CDPATH: path }
    const { stdout } = await start('sh', ['dist/ostler'], { cwd: join(command, '../..'), env })
    expect(stdout).toBe(`${await realpath(join(command, '../ostler.js'))}\n`)
  })

  test('in a project, it runs nothing from the folders around it', async () => {
    await using dir = await openTempDir()
    const command = await install(dir.path, 'project')
    await addNode(join(dir.path, 'bin'), 'planted')
    await addNode(join(dir.path, 'path'), 'path')
    const env = { PATH: `${join(dir.path, 'path')}:/usr/bin:/bin` }
    expect((await start(command, [], { env })).stdout).toBe('path\n')
  })

  test('without any Node, it says so', async ({ skip }) => {
    if (['/usr/bin/node', '/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node'].some(existsSync))
      return skip('this machine has a Node where the command looks for one')
    await using dir = await openTempDir()
    const command = await install(dir.path, 'project')
    await expect(start(command, [], { env: smallEnv })).rejects.toMatchObject({
      code: 127,
      stderr: expect.stringContaining('ostler: Node.js was not found'),
    })
  })
})
