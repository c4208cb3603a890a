import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loopbackKey, startLoopbackModel } from '../support/loopback-model/index.ts'
import { ostlerScript, ostlerStart } from '../support/ostler-script.ts'
import { runCli } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runOstler } from './run-ostler.ts'

interface Report {
  readonly ok: boolean
  readonly findings: readonly {
    readonly what: string
    readonly state: string
    readonly found: string
    readonly advice?: string
  }[]
}

/** Vendors at addresses where nothing answers, so that no test reaches the network. */
const nowhere = Object.fromEntries(
  ['OPENROUTER_BASE_URL', 'OLLAMA_HOST', 'LMSTUDIO_BASE_URL', 'LLAMACPP_BASE_URL', 'VLLM_BASE_URL'].map(
    (name) => [name, 'http://127.0.0.1:1/v1'],
  ),
)

async function examine(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const { code, stdout, stderr } = await runCli(['doctor', '--json', ...args], {
    env: { ...nowhere, ...env },
  })
  const report = JSON.parse(stdout) as Report
  return {
    code,
    stdout,
    stderr,
    ok: report.ok,
    of: (what: string) => report.findings.find((each) => each.what === what),
  }
}

test('a key is named and not shown, and its vendor answers without it', async () => {
  await using home = await openTempDir()
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: [],
    serve: () => ({ status: 404, body: {} }),
  })
  const { code, ok, of, stdout } = await examine({ HOME: home.path, ...model.env })
  expect(of('Keys')).toMatchObject({ state: 'ok', found: 'ANTHROPIC_API_KEY (Anthropic)' })
  expect(of('Vendor Anthropic')).toMatchObject({
    state: 'ok',
    found: expect.stringContaining('answers') as string,
  })
  expect(of('Model')).toMatchObject({ state: 'ok' })
  expect(stdout).not.toContain(loopbackKey)
  expect({ code, ok }).toEqual({ code: 0, ok: true })
  // Nothing is created.
  expect(existsSync(join(home.path, '.local'))).toBe(false)
})

test('without a key, it says what to do', async () => {
  await using home = await openTempDir()
  const { code, of } = await examine({ HOME: home.path })
  expect(of('Keys')).toMatchObject({
    state: 'warning',
    advice: expect.stringContaining('ANTHROPIC_API_KEY') as string,
  })
  expect(of('Model')).toMatchObject({ state: 'warning', found: expect.stringContaining('offline') as string })
  expect(of('Editors')).toMatchObject({ state: 'note' })
  expect(code).toBe(0)
})

test.runIf(process.platform === 'linux')(
  'without a program for sandboxes, it says what to install',
  async () => {
    await using home = await openTempDir()
    const env = { ...nowhere, HOME: home.path, PATH: home.path }
    const { code, stdout } = await runOstler(['doctor'], { env })
    expect(stdout).toMatch(/^- +Sandbox +none: bubblewrap is not installed\. Install/m)
    expect(code).toBe(0)
  },
)

test('a vendor that does not answer', async () => {
  await using home = await openTempDir()
  const { code, of } = await examine({
    HOME: home.path,
    ANTHROPIC_API_KEY: 'sk-some-key-of-a-test',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  })
  expect(of('Vendor Anthropic')).toMatchObject({
    state: 'warning',
    found: '127.0.0.1:1 does not answer: its port is not allowed for http; choose another one',
  })
  expect(of('Vendor Ollama')).toBeUndefined()
  expect(code).toBe(0)
})

test('an agent file that is wrong, and a state directory that is a file, are problems', async () => {
  await using home = await openTempDir()
  const file = join(home.path, 'ostler.yaml')
  await writeFile(file, 'model: 7\n')
  const { code, ok, of } = await examine({ HOME: home.path, XDG_STATE_HOME: file }, ['--agent', file])
  expect(of('Agent file')).toMatchObject({
    state: 'problem',
    advice: expect.stringContaining('ostler check') as string,
  })
  expect(of('State directory')).toMatchObject({ state: 'problem', found: `${file} is not a directory` })
  expect({ code, ok }).toEqual({ code: 1, ok: false })
})

test('an editor with settings, before and after Ostler is registered', async () => {
  await using home = await openTempDir()
  const env = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, '.config') }
  await mkdir(join(home.path, '.config/zed'), { recursive: true })
  expect((await examine(env)).of('Editor zed')).toMatchObject({
    state: 'note',
    found: 'not registered',
    advice: '`ostler editor zed --write` registers Ostler.',
  })
  expect(await runCli(['editor', 'zed', '--write', '--yes'], { env })).toMatchObject({ code: 0 })
  expect((await examine(env)).of('Editor zed')).toMatchObject({ state: 'ok' })
  const settings = join(home.path, '.config/zed/settings.json')
  const registered = await readFile(settings, 'utf8')
  const stateOf = async (text: string) => {
    await writeFile(settings, text)
    return (await examine(env)).of('Editor zed')
  }
  const advice = '`ostler editor zed --write` registers Ostler.'
  const own = `"command": "${ostlerStart}"`
  const afterEnv =
    '{ "agent_servers": { "Ostler": { "env": { "KEY": "/no/path" }, "command": "/gone/ostler" } } }'
  for (const gone of [registered.replace(own, '"command": "/gone/ostler"'), afterEnv])
    expect(await stateOf(gone)).toEqual({
      what: 'Editor zed',
      state: 'warning',
      found: `${settings} names a file that does not exist: /gone/ostler`,
      advice,
    })
  // As it was registered before the command found Node itself.
  const old = `"command": "${process.execPath}", "args": ["${ostlerScript}", "acp"]`
  expect(await stateOf(`{ "agent_servers": { "Ostler": { "type": "custom", ${old} } } }`)).toMatchObject({
    state: 'warning',
    found: `${settings} names ${process.execPath}, which an update of Node may remove`,
    advice,
  })
  expect(await stateOf(registered.replace(own, '"command": "/bin/sh"'))).toMatchObject({ state: 'note' })
  await writeFile(settings, '{ broken')
  expect((await examine(env)).of('Editor zed')).toMatchObject({ state: 'warning' })
})

test('the file of an editor names a command that is gone', async () => {
  await using home = await openTempDir()
  const env = { HOME: home.path, XDG_CONFIG_HOME: join(home.path, '.config') }
  await mkdir(join(home.path, '.config/nvim'), { recursive: true })
  expect(await runCli(['editor', 'neovim', '--write', '--yes'], { env })).toMatchObject({ code: 0 })
  const module = join(home.path, '.config/nvim/lua/ostler.lua')
  await writeFile(module, (await readFile(module, 'utf8')).replace(ostlerStart, '/gone/\\"ostler\\"'))
  expect((await examine(env)).of('Editor neovim')).toMatchObject({
    state: 'warning',
    found: `${module} names a file that does not exist: /gone/"ostler"`,
  })
})

test('for a person, each finding is a line, followed by what to do', async () => {
  await using home = await openTempDir()
  const { code, stdout } = await runCli(['doctor'], { env: { ...nowhere, HOME: home.path } })
  expect(stdout).toMatch(/^ok +Node +\d+\.\d+/m)
  expect(stdout).toMatch(/^warning +Keys +none\n +→ Set ANTHROPIC_API_KEY/m)
  expect(code).toBe(0)
})
