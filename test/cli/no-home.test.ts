import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { baseEnv, ostlerScript } from '../support/ostler-script.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** A user that the system does not know, as in a container. */
const unknownUser = { uid: 54_321, gid: 54_321 }
/** Only root can be another user, and that user must be able to read Ostler. */
const canBeUnknown =
  spawnSync(process.execPath, ['--check', ostlerScript], { ...unknownUser, env: {} }).status === 0

interface User {
  readonly env: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
}

const users: readonly (readonly [string, User])[] = [
  ['an empty HOME', { env: { HOME: '' } }],
  ['a relative HOME', { env: { HOME: '.' } }],
  ...(canBeUnknown ? [['no HOME and no entry of the user', { ...unknownUser, env: {} }] as const] : []),
]

/** Vendors whose address nobody answers, so that no test reaches the network. */
const nowhere = Object.fromEntries(
  ['OPENROUTER_BASE_URL', 'OLLAMA_HOST', 'LMSTUDIO_BASE_URL', 'LLAMACPP_BASE_URL', 'VLLM_BASE_URL'].map(
    (name) => [name, 'http://127.0.0.1:1/v1'],
  ),
)

/** The folder belongs to somebody else, so its settings must not count. */
async function openLab(user: User) {
  const dir = await openTempDir()
  await mkdir(join(dir.path, '.config', 'ostler'), { recursive: true })
  await mkdir(join(dir.path, '.config', 'zed'))
  await writeFile(join(dir.path, '.config', 'ostler', 'ostler.yaml'), 'name: stranger\n')
  return {
    path: dir.path,
    async run(...args: readonly string[]) {
      const options = {
        ...user,
        cwd: user.uid === undefined ? dir.path : '/',
        env: { ...baseEnv, ...nowhere, ...user.env },
      }
      const child = spawn(process.execPath, [ostlerScript, ...args], {
        ...options,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      return { code, stdout, stderr }
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

describe.each(users)('with %s', (_, user) => {
  test('doctor says that no editor was examined', async () => {
    await using lab = await openLab(user)
    const { code, stdout, stderr } = await lab.run('doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: readonly unknown[] }
    expect(findings).toContainEqual(
      expect.objectContaining({ what: 'Editors', state: 'warning', advice: 'Set HOME.' }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ what: 'State directory', state: 'warning' }))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.each([
    [['editor', 'zed', '--write', '--yes'], 'Set HOME, or name the settings file with --file.'],
    [['init'], 'Set HOME, or name the agent file with --agent.'],
    [['mcp', 'import', '--from', 'zed', '--yes'], 'Set HOME, or name a file.'],
  ])('%j fails with one sentence of advice, and writes nothing', async (args, advice) => {
    await using lab = await openLab(user)
    expect(await lab.run(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `ostler: Your home directory is not known. ${advice}\n`,
    })
    expect(await readdir(join(lab.path, '.config', 'zed'))).toEqual([])
    expect(await readdir(join(lab.path, '.config', 'ostler'))).toEqual(['ostler.yaml'])
  })

  test('the agent file of the working directory does not count', async () => {
    await using lab = await openLab(user)
    const { stdout } = await lab.run('check', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, foundBy: 'none' })
  })
})
