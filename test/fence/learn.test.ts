import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { hasTerminal, runOnTerminal } from '../cli/run-on-terminal.ts'
import { runOstler } from '../cli/run-ostler.ts'
import { fixtureServer } from '../support/agent-files.ts'

/** On the disk, and not in a temporary directory, which a fence hides as a whole. */
const place = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))

/** A server that first makes directories and connects, as its arguments say. With `must`, it ends at the first refusal. */
const program = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
const [must, ...wanted] = process.argv.slice(2)
const ask = (host) => new Promise((resolve) => {
  const [name, port] = new URL(process.env.HTTP_PROXY).host.split(':')
  const socket = connect(Number(port), name, () => socket.write('CONNECT ' + host + ':443 HTTP/1.1\\r\\n\\r\\n'))
  socket.once('data', resolve).on('error', resolve)
})
for (const each of wanted)
  try {
    if (each.startsWith('/')) {
      mkdirSync(each + '/inner', { recursive: true })
      writeFileSync(each + '/inner/file', '')
    }
    else await ask(each)
  } catch (error) {
    if (must === 'must') throw error
    console.error(String(error))
  }
await import(${JSON.stringify(fixtureServer('sum-server.mjs'))})
`

async function openHome() {
  await mkdir(place, { recursive: true })
  const root = await mkdtemp(join(place, 'l-'))
  const home = join(root, 'home')
  for (const folder of ['.cache', '.config', 'work']) await mkdir(join(home, folder), { recursive: true })
  const server = join(root, 'server.mjs')
  await writeFile(server, program)
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    OSTLER_SECRET_STORE: 'file',
  }
  const mcp = (...args: readonly string[]) => runOstler(['mcp', ...args], { cwd: home, env })
  return {
    home,
    env,
    mcp,
    command: (...args: readonly string[]) => [process.execPath, server, ...args],
    async add(...args: readonly string[]) {
      const { code, stderr } = await mcp('add', 'wanting', '--', process.execPath, server, ...args)
      expect(code, stderr).toBe(0)
    },
    async sandbox() {
      const { entry } = JSON.parse((await mcp('get', 'wanting', '--json')).stdout) as {
        entry: Record<string, unknown>
      }
      return entry['sandbox']
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

describe.skipIf(inject('fenceProblem') !== undefined)('mcp test --learn', () => {
  test('offers exactly what was refused, never a place of secrets, and stores it after a yes', async () => {
    await using lab = await openHome()
    const inHome = (path: string) => join(lab.home, path)
    const secrets = ['.ssh', '.config/other', '.docker', '.vscode', '.local/state/ostler'].map(inHome)
    await lab.add('may', inHome('.cache/own'), ...secrets, 'wanted.invalid', '*', '*.com')

    const shown = await lab.mcp('test', 'wanting', '--learn')
    expect(shown.code).toBe(1)
    expect(shown.stdout).toContain('It started in a sandbox.')
    expect(await lab.sandbox()).toBeUndefined()

    const learned = await lab.mcp('test', 'wanting', '--learn', '--json')
    const { hosts, paths, sandbox } = JSON.parse(learned.stdout) as Record<string, unknown>
    expect({ hosts, paths }).toEqual({ hosts: ['wanted.invalid'], paths: [inHome('.cache/own/inner')] })
    expect(sandbox).toEqual({ level: 'on', hosts, paths })

    expect((await lab.mcp('test', 'wanting', '--learn', '--yes')).code).toBe(0)
    expect(await lab.sandbox()).toEqual(sandbox)
    // Now it can write there, also without being asked, and a further run wants nothing more.
    const again = await lab.mcp('test', 'wanting', '--learn')
    expect(again.stdout).toContain('It was refused nothing that can be offered.')
    expect(again.code).toBe(0)
    expect(existsSync(inHome('.cache/own/inner/file'))).toBe(true)
    expect(existsSync(inHome('.ssh'))).toBe(false)
  })

  test.skipIf(!hasTerminal)('asks one question on a terminal', async () => {
    await using lab = await openHome()
    await lab.add('may', join(lab.home, '.cache/own'), 'wanted.invalid')
    const ask = (keys: string) =>
      runOnTerminal(['mcp', 'test', 'wanting', '--learn'], {
        env: lab.env,
        cwd: lab.home,
        typed: [['Allow these hosts and paths for wanting?', `${keys}\n`]],
      })
    expect(await ask('n')).toMatchObject({ code: 1, shown: expect.stringContaining('Nothing was changed.') })
    expect(await lab.sandbox()).toBeUndefined()
    expect(await ask('y')).toMatchObject({ code: 0 })
    expect(await lab.sandbox()).toMatchObject({ hosts: ['wanted.invalid'] })
  })

  test('a server of the agent file stays as it is, and the setting for it is shown', async () => {
    await using lab = await openHome()
    const [command, ...args] = lab.command('must', join(lab.home, '.cache/own'))
    const file = join(lab.home, 'work/ostler.json')
    const sandbox = { level: 'required', hosts: ['known.invalid'] }
    await writeFile(file, JSON.stringify({ mcpServers: { wanting: { command, args, sandbox } } }))
    const shown = await lab.mcp('test', 'wanting', '--learn', '--yes', '--agent', file)
    expect(shown.code).toBe(1)
    expect(shown.stdout).toContain('It failed in a sandbox: the server exited with code 1\n')
    expect(shown.stdout).toContain(
      `"sandbox": ${JSON.stringify({ ...sandbox, paths: [join(lab.home, '.cache/own/inner')] })}`,
    )
    // Each start that ends like this says how to learn.
    const failed = await lab.mcp('test', 'wanting', '--agent', file)
    expect(failed.stderr).toContain('`ostler mcp test wanting --learn` shows what it wanted in its sandbox')
  })
})
