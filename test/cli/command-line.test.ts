import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runOstler } from './run-ostler.ts'

test('--version and --help go to stdout', async () => {
  for (const flag of ['--version', '-v'])
    expect(await runOstler([flag])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  for (const flag of ['--help', '-h'])
    expect(await runOstler([flag])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: ostler <command>'), stderr: '' })
  expect(await runOstler(['acp', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('--log-level'), stderr: '' })
  expect(await runOstler(['editor', '--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('jetbrains'), stderr: '' })
})

test.each([
  [['help'], 'Usage: ostler <command>'],
  [['help', 'help'], 'Usage: ostler <command>'],
  [['help', 'acp'], 'Usage: ostler acp'],
  [['--help', 'acp'], 'Usage: ostler acp'],
  [['-h', 'acp'], 'Usage: ostler acp'],
  [['help', 'editor'], 'Usage: ostler editor'],
])('ostler %j is the help that is meant', async (args, first) => {
  expect(await runOstler(args)).toMatchObject({ code: 0, stdout: expect.stringContaining(first), stderr: '' })
})

test('the usage names every way in: the short flags, the variables, what an agent file holds', async () => {
  const { stdout: bare } = await runOstler(['--help'])
  for (const flag of ['-h, --help', '-v, --version']) expect(bare).toContain(flag)
  const { stdout: acp } = await runOstler(['help', 'acp'])
  for (const word of ['OSTLER_AGENT', 'OSTLER_MODEL', 'MCP servers', 'approvals']) expect(acp).toContain(word)
})

test.each([
  ['nosuch/model', 'There is no provider "nosuch"'],
  ['nosuch', '"nosuch" is not a model'],
])('a model that nobody can open (%s) is one line on stderr, with exit code 1', async (model, reason) => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'ostler.yaml')
  await writeFile(file, `model: ${model}\n`)
  const ways = [
    { args: ['--model', model] },
    { args: ['--agent', file] },
    { args: ['--state-dir', dir.path, '--agent', file], env: { OSTLER_MODEL: model } },
  ]
  for (const way of ways) {
    await using editor = await openAcpProcess(way)
    await editor.initialize()
    expect(await editor.exit).toEqual({ code: 1, signal: null })
    expect(editor.stderr()).toMatch(/^ostler: .*\n$/)
    expect(editor.stderr()).toContain(reason)
  }
})

test('a model whose key is missing is said in the log, and refused at the prompt', async () => {
  await using editor = await openAcpProcess({ args: ['--model', 'google/gemini-4-argon'] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({ code: -32000, data: { code: 'model.no_key' } })
  await until('the log', () => editor.stderr().includes('the model cannot be used yet'))
})

test.each([
  [[], 'which command'],
  [['dance'], "no command 'dance'"],
  [['help', 'dance'], "no command 'dance'"],
  [['--dance'], '--dance'],
  [['acp', '--dance'], '--dance'],
  [['acp', 'now'], 'now'],
  [['acp', '--log-level', 'loud'], '--log-level must be'],
  [['acp', '--model'], '--model'],
  [['acp', '--model', ''], '--model needs a value'],
  [['editor'], 'which editor'],
  [['editor', 'ed'], "no snippet for 'ed'"],
  [['editor', 'zed', 'vim'], "no snippet for 'zed vim'"],
])('ostler %j is wrong: the reason and the usage on stderr, exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runOstler(args)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler\b/m)
  expect(stderr).not.toContain('    at ')
})

test('an agent file that is missing or wrong is said on stderr, with exit code 1', async () => {
  await using dir = await openTempDir()
  const missing = await runOstler(['acp', '--agent', join(dir.path, 'missing.yaml')])
  expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('missing.yaml') })
  const file = join(dir.path, 'ostler.yaml')
  await writeFile(file, 'colour: red\nmaxSteps: many\n')
  const wrong = await runOstler(['acp', '--agent', file])
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`${file}:1:1`) })
  expect(wrong.stderr).toContain(`${file}:2:1`)
  expect(wrong.stderr).not.toContain('    at ')
})

test('the model comes from the flag, then OSTLER_MODEL, then the agent file', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'ostler.yaml')
  await writeFile(file, 'model: anthropic/from-file\n')
  const modelOf = async (args: readonly string[], env: Record<string, string>) => {
    await using editor = await openAcpProcess({ args: ['--agent', file, ...args], env })
    await editor.initialize()
    const { configOptions } = await editor.newSession({ cwd: dir.path })
    const option = configOptions?.find(({ id }) => id === 'model')
    return option?.type === 'select' ? option.currentValue : undefined
  }
  expect(await modelOf([], {})).toBe('anthropic/from-file')
  expect(await modelOf([], { OSTLER_MODEL: 'anthropic/from-env' })).toBe('anthropic/from-env')
  expect(await modelOf(['--model', 'offline'], { OSTLER_MODEL: 'anthropic/from-env' })).toBe('offline')
})

test('the log goes to the file as well, at its level, and only to its owner', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'ostler.log')
  await using editor = await openAcpProcess({ args: ['--log-file', file, '--log-level', 'debug'] })
  await editor.initialize()
  editor.send({ jsonrpc: '2.0', id: 77, result: {} })
  await editor.request('authenticate', { methodId: 'environment' })
  expect(await readFile(file, 'utf8')).toMatch(/^\S+Z debug ignored a response to a request that is not open$/m)
  expect(editor.stderr()).toContain('ignored a response')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a log file that cannot be opened is said, with exit code 1', async () => {
  await using dir = await openTempDir()
  expect(await runOstler(['acp', '--log-file', join(dir.path, 'no', 'such', 'dir', 'x.log')])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('x.log'),
  })
})

test("the state directory is its owner's only; without a place for it there is none, and all is well", async () => {
  await using dir = await openTempDir()
  const state = join(dir.path, 'state')
  const serve = async (args: readonly string[], env: Record<string, string>, said: unknown = '') => {
    await using editor = await openAcpProcess({ args, env })
    await editor.initialize()
    await editor.newSession({ cwd: dir.path })
    editor.closeInput()
    expect(await editor.exit).toEqual({ code: 0, signal: null })
    expect(editor.stderr()).toEqual(said)
  }
  await serve(['--state-dir', state], {})
  expect((await stat(state)).mode & 0o777).toBe(0o700)
  await serve([`--state-dir=${join(dir.path, 'other')}`], {})
  expect((await stat(join(dir.path, 'other'))).isDirectory()).toBe(true)
  await serve([], { XDG_STATE_HOME: join(dir.path, 'xdg') })
  expect((await stat(join(dir.path, 'xdg', 'ostler'))).mode & 0o777).toBe(0o700)
  // Nobody, not even root, can create a directory here.
  const warned = expect.stringMatching(/^\S+ warn the state in \/proc\/nowhere\S* cannot be used .*\n$/)
  await serve(['--state-dir', '/proc/nowhere'], {}, warned)
  await serve([], { HOME: '/proc/nowhere' }, warned)
})
