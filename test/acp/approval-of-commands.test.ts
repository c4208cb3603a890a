import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestPermissionRequest, ToolCallContent } from '@agentclientprotocol/sdk'
import { describe, expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'
import { runCli } from '../support/run-cli.ts'
import type { Reply } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession } from '../support/tool-session.ts'

/** Answers with the first of these options that is offered, or rejects. */
const choose =
  (...ids: readonly string[]) =>
  (params: unknown) => {
    const offered = new Set((params as RequestPermissionRequest).options.map(({ optionId }) => optionId))
    return { outcome: { outcome: 'selected', optionId: ids.find((id) => offered.has(id)) ?? 'reject-once' } }
  }
const optionNames = ({ options }: RequestPermissionRequest) => options.map(({ name }) => name)
const textIn = (content: readonly ToolCallContent[] | null | undefined) =>
  (content ?? [])
    .map((each) => (each.type === 'content' && each.content.type === 'text' ? each.content.text : ''))
    .join('\n')

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  test('the question shows the whole command and its folder, and offers exactly this command', async () => {
    await using session = await openToolSession(capabilities)
    const line = `echo ${'x'.repeat(150)} end`
    expect(await session.call('run_command', { command: line })).toContain('[exit code 0]')
    const [asked] = session.editor.permissionRequests()
    const cwd = await realpath(session.cwd)
    expect(asked?.toolCall.title).toBe(line)
    expect(textIn(asked?.toolCall.content)).toBe(
      `Command:\n\n\`\`\`sh\n${line}\n\`\`\`\n\nIt runs in:\n\n\`\`\`\n${cwd}\n\`\`\``,
    )
    expect(optionNames(asked!)).toEqual([
      'Allow once',
      `Allow "${line}" in this folder for this session`,
      `Always allow "${line}" in this folder`,
      'Reject once',
    ])
  })

  test('"always" covers this command in this folder, and nothing that is appended to it', async () => {
    await using session = await openToolSession(capabilities, { onPermission: choose('allow-always') })
    const { editor, cwd } = session
    await mkdir(join(cwd, 'sub'))
    const run = async (command: string, args = {}) => {
      const before = editor.permissionRequests().length
      const result = await session.call('run_command', { command, ...args })
      return { result, isAsked: editor.permissionRequests().length > before }
    }
    expect(await run('echo one')).toMatchObject({ isAsked: true, result: expect.stringContaining('one') })
    expect(await run('echo  one')).toMatchObject({ isAsked: false, result: expect.stringContaining('one') })
    for (const trick of [
      'echo one; touch evil',
      'echo one && touch evil',
      'echo one | tee evil',
      'echo one > evil',
      'echo one $(touch evil)',
      'echo one `touch evil`',
      'echo one\ntouch evil',
      'echo one & touch evil',
      'A=1 echo one',
      '"echo" one',
    ]) {
      // There is no "always" for these, so the editor here rejects.
      expect(await run(trick)).toMatchObject({
        isAsked: true,
        result: expect.stringContaining('did not allow'),
      })
    }
    expect(await run('echo two')).toMatchObject({ isAsked: true })
    expect(await run('echo one', { cwd: 'sub' })).toMatchObject({ isAsked: true })
    await expect(readFile(join(cwd, 'evil'))).rejects.toThrow('ENOENT')
  })

  test('a folder outside needs approval each time, under its real name', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities, { agent: { mode: 'auto' } })
    const folder = await realpath(outside.path)
    for (let count = 0; count < 2; count++)
      expect(await session.call('run_command', { command: 'pwd', cwd: outside.path })).toContain(folder)
    const asked = session.editor.permissionRequests()
    expect(asked.map(optionNames)).toEqual([
      ['Allow once', 'Reject once'],
      ['Allow once', 'Reject once'],
    ])
    expect(textIn(asked[0]?.toolCall.content)).toContain(
      `This is outside the session's directories:\n\n\`\`\`\n${folder}\n\`\`\``,
    )
  })

  test('in the mode read-only, no command and no page is tried', async () => {
    await using session = await openToolSession(capabilities, { agent: { mode: 'read-only' } })
    expect(await session.call('run_command', { command: 'touch evil' })).toContain(
      'not allowed (mode:read-only)',
    )
    expect(await session.call('fetch_url', { url: 'https://example.com' })).toContain(
      'not allowed (mode:read-only)',
    )
    expect(session.editor.permissionRequests()).toEqual([])
    await expect(readFile(join(session.cwd, 'evil'))).rejects.toThrow('ENOENT')
  })
})

test('the answers are stored with the agent', async () => {
  const call: Reply = { toolCalls: [{ name: 'run_command', args: { command: 'echo one' } }] }
  await using lab = await openSessionLab([call, { text: 'done' }, call, { text: 'done' }])
  await using editor = await lab.open({ onPermission: choose('allow-always') })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'go')
  await editor.prompt(sessionId, 'go on')
  expect(editor.permissionRequests()).toHaveLength(1)
  const { stdout } = await runCli(['grants', 'list', '--state-dir', lab.stateDir])
  expect(stdout).toContain(`run_command "echo one" in ${await realpath(lab.path)}`)
  const { stdout: history } = await runCli(['history', '--json', '--state-dir', lab.stateDir])
  expect(history).toContain('grant:command')
})
