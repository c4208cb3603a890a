import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { openAgentLab, openSession } from '../support/agent-lab.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession, type ToolSession } from '../support/tool-session.ts'

const fenceProblem = inject('fenceProblem')
const env = { PATH: process.env['PATH'] ?? '' }
const fenced = { agent: { mode: 'fenced', env } } as const

const edit = (path: string, from: string, to: string) => ({
  name: 'edit_file',
  args: { path, edits: [{ old_text: from, new_text: to }] },
})
const questionsOf = ({ editor }: ToolSession) => editor.permissionRequests().length

async function write(session: ToolSession, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeFile(join(session.cwd, path), text)
}

describe.skipIf(fenceProblem !== undefined).each(editors)('in an editor with %s', (_, capabilities) => {
  test('a fix of two files and a test run is not asked about, and can be taken back', async () => {
    await using session = await openToolSession(capabilities, fenced)
    await write(session, {
      'add.mjs': 'export const add = (a, b) => a - b\n',
      'double.mjs': "import { add } from './add.mjs'\nexport const double = (a) => add(a, 1)\n",
      'test.mjs': "import { double } from './double.mjs'\nprocess.exit(double(4) === 8 ? 0 : 1)\n",
    })
    const check = { name: 'run_command', args: { command: `'${process.execPath}' test.mjs` } }
    await session.callTogether([
      { name: 'read_file', args: { path: 'add.mjs' } },
      { name: 'read_file', args: { path: 'double.mjs' } },
    ])
    expect(await session.callTogether([check])).toMatchObject([expect.stringContaining('[exit code 1]')])
    await session.callTogether([
      edit('add.mjs', 'a - b', 'a + b'),
      edit('double.mjs', 'add(a, 1)', 'add(a, a)'),
    ])
    expect(await session.callTogether([check])).toMatchObject([expect.stringContaining('[exit code 0]')])
    expect(questionsOf(session)).toBe(0)
    await session.editor.prompt(session.sessionId, '/undo')
    await session.editor.prompt(session.sessionId, '/undo')
    expect(await readFile(join(session.cwd, 'add.mjs'), 'utf8')).toContain('a - b')
    expect(questionsOf(session)).toBe(0)
  })

  test('another directory, a secret and a page are asked about', async () => {
    await using other = await openTempDir()
    await using session = await openToolSession(capabilities, fenced)
    await mkdir(join(session.cwd, 'sub'))
    await write(session, { '.env': 'NAME=value\n' })
    const isAsked = async (name: string, args: object) => {
      const before = questionsOf(session)
      await session.call(name, args)
      return questionsOf(session) > before
    }
    expect(await isAsked('run_command', { command: 'pwd', cwd: 'sub' })).toBe(false)
    expect(await isAsked('run_command', { command: 'pwd', cwd: other.path })).toBe(true)
    expect(await isAsked('write_file', { path: join(other.path, 'new.txt'), content: '' })).toBe(true)
    expect(await isAsked('read_file', { path: '.env' })).toBe(true)
    expect(await isAsked('fetch_url', { url: 'http://127.0.0.1:1/' })).toBe(true)
  })

  test('a command cannot leave, though nobody was asked', async () => {
    await using other = await openTempDir()
    await using session = await openToolSession(capabilities, fenced)
    const result = await session.call('run_command', {
      command: `echo x > '${other.path}/out'; echo y > in; cat in`,
    })
    expect(result).toContain('y')
    expect(questionsOf(session)).toBe(0)
    await expect(readFile(join(other.path, 'out'))).rejects.toThrow('ENOENT')
  })
})

describe('the menu', () => {
  const modesIn = (response: { readonly modes?: { availableModes: readonly { id: string }[] } | null }) =>
    response.modes?.availableModes.map(({ id }) => id)

  test('has the mode where a sandbox works, and the mode can be chosen there', async () => {
    await using lab = await openAgentLab()
    await lab.writeAgentFile({})
    await using editor = await lab.start({ env })
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
    const choosing = editor.request('session/set_mode', { sessionId, modeId: 'fenced' })
    if (fenceProblem === undefined) expect(await choosing).toEqual({})
    else await expect(choosing).rejects.toThrow(/needs a sandbox/)
    const next = await editor.newSession({ cwd: lab.path, mcpServers: [] })
    expect(modesIn(next)?.includes('fenced')).toBe(fenceProblem === undefined)
  })

  test.skipIf(fenceProblem !== undefined)('learns of the mode after the session is open', async () => {
    await using lab = await openAgentLab()
    await lab.writeAgentFile({})
    await using editor = await lab.start({ env })
    const sessionId = await openSession(editor, lab)
    const menu = await until('the menu', () =>
      editor.updates(sessionId).find(({ sessionUpdate }) => sessionUpdate === 'config_option_update'),
    )
    expect(JSON.stringify(menu)).toContain('Edit files, and run commands in a sandbox, without asking')
  })

  test('does not have it elsewhere, and a session of an agent file with it says so, and asks', async () => {
    const call = { toolCalls: [{ name: 'write_file', args: { path: 'new.txt', content: '' } }] }
    await using lab = await openAgentLab([call, { text: 'done' }])
    await lab.writeAgentFile({ approval: { mode: 'fenced' } })
    await using editor = await lab.start({ env: { PATH: '/nowhere' } })
    const sessionId = await openSession(editor, lab)
    for (const [method, field] of [
      ['session/set_mode', 'modeId'],
      ['session/set_config_option', 'value'],
    ] as const)
      await expect(
        editor.request(method, { sessionId, configId: 'mode', [field]: 'fenced' }),
      ).rejects.toThrow(/needs a sandbox/)
    await editor.prompt(sessionId, 'go')
    expect(editor.permissionRequests()).toHaveLength(1)
    await editor.prompt(sessionId, '/mcp')
    const shown = JSON.stringify(editor.updates(sessionId))
    expect(shown).toContain('The mode “Fenced” cannot be used, because bubblewrap is not installed')
  })
})
