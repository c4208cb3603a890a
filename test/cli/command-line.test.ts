import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openAcpProcess, ostlerScript } from '../support/acp-harness.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { hasTerminal, runOnTerminal } from './run-on-terminal.ts'
import { runCli } from '../support/run-cli.ts'
import { runOstler } from './run-ostler.ts'

test('--version and --help go to stdout', async () => {
  for (const flag of ['--version', '-v'])
    expect(await runCli([flag])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    })
  for (const flag of ['--help', '-h'])
    expect(await runCli([flag])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: ostler <command>'),
      stderr: '',
    })
  expect(await runCli(['acp', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--log-level'),
    stderr: '',
  })
  expect(await runCli(['editor', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('jetbrains'),
    stderr: '',
  })
})

test.each([
  [['help'], 'Usage: ostler <command>'],
  [['help', 'help'], 'Usage: ostler <command>'],
  [['help', 'acp'], 'Usage: ostler acp'],
  [['--help', 'acp'], 'Usage: ostler acp'],
  [['-h', 'acp'], 'Usage: ostler acp'],
  [['help', 'editor'], 'Usage: ostler editor'],
])('ostler %j prints the intended help', async (args, first) => {
  expect(await runCli(args)).toMatchObject({ code: 0, stdout: expect.stringContaining(first), stderr: '' })
})

test('a command without arguments prints its help, and an error says where the help is', async () => {
  for (const args of [[], ['editor'], ['completion']])
    expect(await runCli(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^ostler: no .+ given.*\n\nUsage: ostler/),
    })
  expect((await runCli(['histroy'])).stderr).toBe(
    "ostler: unknown command 'histroy'; did you mean 'history'?\nSee ostler --help\n",
  )
  expect((await runCli(['mcp', 'add'])).stderr).toMatch(/^ostler: .+\nSee ostler mcp add --help\n$/)
  expect((await runCli(['version'])).stdout).toBe((await runCli(['--version'])).stdout)
})

test.runIf(existsSync('/dev/full'))(
  'output that cannot be written is reported in one line, with exit code 1',
  async () => {
    const full = openSync('/dev/full', 'w')
    try {
      for (const args of [['--help'], ['schema'], ['mcp', 'list']]) {
        const child = spawn(process.execPath, [ostlerScript, ...args], {
          stdio: ['ignore', full, 'pipe'],
          env: { HOME: '/proc/nowhere' },
        })
        const [stderr, code] = await Promise.all([
          text(child.stderr!),
          new Promise((resolve) => child.on('close', resolve)),
        ])
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: 'ostler: standard output cannot be written: the disk is full\n',
        })
      }
    } finally {
      closeSync(full)
    }
  },
)

test('an unexpected error is one line without secrets; OSTLER_DEBUG prints all of it', async () => {
  const broken = `data:text/javascript,process.cwd=()=>{throw new Error('the current\\\\n working directory')}`
  const run = async (env: Record<string, string>) =>
    runOstler(['check', '--agent', 'x.yaml'], { env: { NODE_OPTIONS: `--import="${broken}"`, ...env } })
  expect(await run({})).toMatchObject({
    code: 1,
    stderr: 'ostler: unexpected error: the current working directory\n',
  })
  expect((await run({ API_TOKEN: 'current working' })).stderr).not.toContain('current working')
  expect((await run({ OSTLER_DEBUG: '1' })).stderr).toContain('\n    at ')
})

test('in a folder that was deleted, a command that needs it says so', async () => {
  expect(await runInDeletedFolder('run hello')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ostler: The current folder no longer exists. Go to another one first.\n',
  })
})

test('in a folder that was deleted, a server is stored, and nothing is said about its files', async () => {
  expect(await runInDeletedFolder('mcp add docs -- node server.mjs')).toEqual({
    code: 0,
    stdout: "Stored the server 'docs'.\nTry it: ostler mcp test docs\n",
    stderr: '',
  })
})

async function runInDeletedFolder(words: string) {
  await using dir = await openTempDir()
  const gone = join(dir.path, 'gone')
  await mkdir(gone)
  const command = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${ostlerScript}' ${words}`
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { HOME: dir.path },
  })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { code, stdout, stderr }
}

test.runIf(hasTerminal)('on a terminal `ostler acp` explains what it waits for', async () => {
  const { shown } = await runOnTerminal(['acp'], { typed: [['waiting for an editor', '\u0003']] })
  expect(shown).toMatch(/^ostler: waiting for an editor on standard input\. /)
})

const badModels = { 'nosuch/model': 'There is no provider "nosuch"', nosuch: '"nosuch" is not a model' }

test.each([
  ['the environment', 'nosuch/model', { OSTLER_MODEL: 'nosuch/model' }],
  ['the agent file', 'nosuch', {}],
] as const)(
  'a model of %s that cannot be opened (%s) is reported in one line on stderr, with exit code 1',
  async (_, model, env) => {
    await using dir = await openTempDir()
    const [file, log] = [join(dir.path, 'ostler.yaml'), join(dir.path, 'log')]
    await writeFile(file, 'model: nosuch\n')
    await using editor = await openAcpProcess({ args: ['--agent', file, '--log-file', log], env })
    const [, opened] = await Promise.allSettled([
      editor.initialize(),
      editor.newSession({ cwd: editor.home }),
    ])
    expect(opened).toMatchObject({ status: 'rejected', reason: { data: { code: 'model.unknown' } } })
    expect(await editor.exit).toEqual({ code: 1, signal: null })
    expect(editor.stderr()).toMatch(/^ostler: .*\n$/)
    expect(editor.stderr()).toContain(badModels[model])
    expect(await readFile(log, 'utf8')).toContain(` error ended: ${editor.stderr().replace('ostler: ', '')}`)
    const checked = await runCli(['check', '--state-dir', join(editor.home, '.local/state/ostler')])
    expect(checked.stdout).toContain(badModels[model])
  },
)

test('a model without its key is reported in the log, and rejects the prompt', async () => {
  await using editor = await openAcpProcess({ args: ['--model', 'google/gemini-4-argon'] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({
    code: -32000,
    data: { code: 'model.no_key' },
  })
  await until('the log', () => editor.stderr().includes('the model cannot be used yet'))
})

test.each([
  [[], 'no command given'],
  [['dance'], "unknown command 'dance'"],
  [['help', 'dance'], "unknown command 'dance'"],
  [['--dance'], '--dance'],
  [['acp', '--dance'], '--dance'],
  [['acp', 'now'], 'now'],
  [['acp', '--log-level', 'loud'], '--log-level must be'],
  [['acp', '--model'], '--model'],
  [['acp', '--model', ''], '--model needs a value'],
  [['editor'], 'no editor given'],
  [['editor', 'ed'], "no settings for 'ed'"],
  [['editor', 'zed', 'vim'], "no settings for 'zed vim'"],
])('ostler %j is invalid: the reason and the usage on stderr, exit code 2', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(args)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^(?:See|Usage:) ostler\b/m)
  expect(stderr).not.toContain('    at ')
})

test('a missing or invalid agent file is reported on stderr, with exit code 1', async () => {
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

test('the model of a flag comes before OSTLER_MODEL, and that before the agent file', async () => {
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
  expect(await modelOf([], { OSTLER_MODEL: 'anthropic/from-env' })).toBe('anthropic/from-env')
  expect(await modelOf(['--model', 'offline'], { OSTLER_MODEL: 'anthropic/from-env' })).toBe('offline')
})

test('the log also goes to the file, at its level, and only its owner can read it', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'ostler.log')
  await using editor = await openAcpProcess({ args: ['--log-file', file, '--log-level', 'debug'] })
  await editor.initialize()
  editor.send({ jsonrpc: '2.0', id: 77, result: {} })
  await editor.request('authenticate', { methodId: 'environment' })
  expect(await readFile(file, 'utf8')).toMatch(
    /^\S+Z debug ignored a response to a request that is not open$/m,
  )
  expect(editor.stderr()).toContain('ignored a response')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a log file that cannot be opened is reported, with exit code 1', async () => {
  await using dir = await openTempDir()
  expect(await runCli(['acp', '--log-file', 'no/such/dir/x.log'], { cwd: dir.path })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(join(dir.path, 'no/such/dir/x.log')),
  })
})

test('only its owner can use the state directory; without a place for it, everything works without state', async () => {
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
  // No user, not even root, can create a directory here.
  const warned = expect.stringMatching(
    /^\S+ warn the state directory \/proc\/nowhere\S* cannot be used .*\n$/,
  )
  await serve(['--state-dir', '/proc/nowhere'], {}, warned)
  await serve([], { HOME: '/proc/nowhere' }, warned)
})
