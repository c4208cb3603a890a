import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { openState } from '../../packages/agent-api/src/state/open-state.ts'
import { selectPermission } from '../support/acp-harness.ts'
import { openSessionLab } from '../support/acp-sessions.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession, type ToolSession } from '../support/tool-session.ts'

const edit = (path: string, from: string, to: string) => ({
  name: 'edit_file',
  args: { path, edits: [{ old_text: from, new_text: to }] },
})

/** Sends `/undo`, and returns its answer. */
async function undo({ editor, sessionId }: ToolSession): Promise<string> {
  const before = editor.text(sessionId).length
  await editor.prompt(sessionId, '/undo')
  return editor.text(sessionId).slice(before)
}

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  it('/undo restores every file that the last prompt changed, byte by byte, then those of the prompt before', async () => {
    await using session = await openToolSession(capabilities)
    const [one, two, made] = ['one.txt', 'two.txt', 'sub/new.txt'].map((name) => join(session.cwd, name)) as [
      string,
      string,
      string,
    ]
    const bytes = Buffer.from('\uFEFFone\r\ntwo\r\n')
    await writeFile(one, bytes)
    await writeFile(two, 'first\n')
    await session.callTogether([edit('one.txt', 'one', 'ONE')])
    await session.callTogether([
      edit('one.txt', 'two', 'TWO'),
      edit('two.txt', 'first', 'second'),
      edit('two.txt', 'first', 'never'),
      { name: 'write_file', args: { path: 'sub/new.txt', content: 'new\n' } },
    ])
    expect(await readFile(one, 'utf8')).toBe('\uFEFFONE\r\nTWO\r\n')
    const questions = session.editor.permissionRequests().length
    const answer = await undo(session)
    for (const line of ['`one.txt`: restored', '`two.txt`: restored', '`sub/new.txt`: deleted; it was new'])
      expect(answer).toContain(line)
    expect(await readFile(one, 'utf8')).toBe('\uFEFFONE\r\ntwo\r\n')
    expect(await readFile(two, 'utf8')).toBe('first\n')
    await expect(stat(made)).rejects.toThrow('ENOENT')
    await undo(session)
    expect(await readFile(one)).toEqual(bytes)
    expect(await undo(session)).toContain('There is nothing to undo')
    expect(session.editor.permissionRequests()).toHaveLength(questions)
    // The model is told, and must read the file again.
    const results = await session.callTogether([edit('one.txt', 'one', 'uno')])
    expect(results[0]).toMatch(/has changed since you last read it/)
    const told = JSON.stringify(session.model.requests.at(-1)?.messages)
    expect(told).toContain('I used /undo')
    expect(told).not.toContain('was not answered')
  })

  it('a new file that /undo deleted can be written again, once the model has looked', async () => {
    await using session = await openToolSession(capabilities)
    const write = () => session.call('write_file', { path: 'new.txt', content: 'new\n' })
    await write()
    expect(await undo(session)).toContain('`new.txt`: deleted; it was new')
    expect(await write()).toContain('It was deleted since you last read it')
    expect(await session.call('read_file', { path: 'new.txt' })).toContain('There is no file new.txt')
    expect(await write()).toContain('Created new.txt')
    expect(await readFile(join(session.cwd, 'new.txt'), 'utf8')).toBe('new\n')
  })

  it('a file that has changed since is only restored after a yes, and the question shows what would be lost', async () => {
    let option: 'allow_once' | 'reject_once' = 'allow_once'
    await using session = await openToolSession(capabilities, {
      onPermission: (request) => selectPermission(option)(request),
    })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    await session.callTogether([edit('a.txt', 'one', '1')])
    await writeFile(path, '1\nmine\n')
    option = 'reject_once'
    expect(await undo(session)).toContain(
      '`a.txt`: left as it is: it has changed since, and you kept the change',
    )
    expect(await readFile(path, 'utf8')).toBe('1\nmine\n')
    expect(session.editor.permissionRequests().at(-1)?.toolCall).toMatchObject({
      title: 'Restore a.txt, which has changed since',
      content: expect.arrayContaining([{ type: 'diff', path, oldText: '1\nmine\n', newText: 'one\n' }]),
    })
    option = 'allow_once'
    await session.call('read_file', { path })
    await session.callTogether([edit('a.txt', 'mine', 'yours')])
    await rm(path)
    expect(await undo(session)).toContain('`a.txt`: restored; it had been deleted')
    expect(await readFile(path, 'utf8')).toBe('1\nmine\n')
  })

  it('each restored file is a call in the history, with the rule behind it. No mode restores a changed file without a yes', async () => {
    using state = openState()
    let option: 'allow_once' | 'reject_once' = 'allow_once'
    await using session = await openToolSession(capabilities, {
      agent: { history: state, mode: 'auto' },
      onPermission: (request) => selectPermission(option)(request),
    })
    const [one, two] = ['one.txt', 'two.txt'].map((name) => join(session.cwd, name)) as [string, string]
    for (const path of [one, two]) await writeFile(path, 'old\n')
    const edits = [edit('one.txt', 'old', 'new'), edit('two.txt', 'old', 'new')]
    await session.callTogether(edits)
    await writeFile(two, 'mine\n')
    await undo(session)
    expect(await readFile(two, 'utf8')).toBe('old\n')
    for (const path of [one, two]) await session.call('read_file', { path })
    await session.callTogether(edits)
    await session.editor.request('session/set_mode', { sessionId: session.sessionId, modeId: 'read-only' })
    await writeFile(two, 'mine\n')
    option = 'reject_once'
    await undo(session)
    expect(await readFile(two, 'utf8')).toBe('mine\n')
    // The edits of a step run at once, in any order.
    const rows = (path: string) =>
      state.calls
        .list({ tool: 'undo', limit: 9 })
        .filter(({ about }) => about === `path: ${path}`)
        .map(({ status, decision, rule }) => [status, decision, rule])
    const restored = ['success', 'allow', 'restore:unchanged']
    expect(rows(one)).toEqual([restored, restored])
    expect(rows(two)).toEqual([
      ['denied', 'deny', 'person:deny-once'],
      ['success', 'allow', 'person:allow-once'],
    ])
  })

  it('a file that changes again during the question stays as it is, and the call has failed', async () => {
    using state = openState()
    let path = ''
    await using session = await openToolSession(capabilities, {
      agent: { history: state, mode: 'auto' },
      onPermission: async (request) => {
        await writeFile(path, 'again\n')
        return selectPermission('allow_once')(request)
      },
    })
    path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    await session.callTogether([edit('a.txt', 'one', '1')])
    await writeFile(path, '1\nmine\n')
    expect(await undo(session)).toContain('left as it is: it changed again in the meantime')
    expect(await readFile(path, 'utf8')).toBe('again\n')
    const error = 'left as it is: it changed again in the meantime'
    const row = { status: 'error', rule: 'person:allow-once', error }
    expect(state.calls.list({ tool: 'undo', limit: 9 })).toMatchObject([row])
  })

  it('line endings that were converted since are only restored after a yes', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\ntwo\n')
    await session.callTogether([edit('a.txt', 'one', '1')])
    await writeFile(path, '1\r\ntwo\r\n')
    const asked = session.editor.permissionRequests().length
    await undo(session)
    expect(session.editor.permissionRequests()).toHaveLength(asked + 1)
  })

  it.each([
    ['not answered', 'the question was not answered', {}],
    ['asked of nobody', 'nobody could be asked', { _meta: { 'ostler/answeredBy': 'nobody' } }],
  ])('a question that was %s can be asked again', async (_, reason, about) => {
    let isAnswered = false
    await using session = await openToolSession(capabilities, {
      onPermission: (request) => {
        const { toolCall } = request
        if (isAnswered || !toolCall.title?.startsWith('Restore'))
          return selectPermission('allow_once')(request)
        return { outcome: { outcome: 'cancelled' }, ...about }
      },
    })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    await session.callTogether([edit('a.txt', 'one', '1')])
    await writeFile(path, '1\nmine\n')
    expect(await undo(session)).toContain(`left as it is: it has changed since, and ${reason}`)
    expect(await readFile(path, 'utf8')).toBe('1\nmine\n')
    isAnswered = true
    expect(await undo(session)).toContain('`a.txt`: restored')
    expect(await readFile(path, 'utf8')).toBe('one\n')
  })

  it('a path that has become a link is not followed', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities)
    await mkdir(join(session.cwd, 'sub'))
    await writeFile(join(session.cwd, 'sub', 'a.txt'), 'one\n')
    await writeFile(join(outside.path, 'a.txt'), '1\n')
    await session.callTogether([edit('sub/a.txt', 'one', '1')])
    await rm(join(session.cwd, 'sub'), { recursive: true })
    await symlink(outside.path, join(session.cwd, 'sub'))
    expect(await undo(session)).toContain('not restored: it is now a link to another file')
    expect(await readFile(join(outside.path, 'a.txt'), 'utf8')).toBe('1\n')
  })

  it('a failed or rejected edit leaves nothing to undo', async () => {
    await using session = await openToolSession(capabilities, {
      onPermission: selectPermission('reject_once'),
    })
    await writeFile(join(session.cwd, 'a.txt'), 'one\n')
    await session.callTogether([edit('a.txt', 'one', '1'), edit('a.txt', 'missing', '1')])
    expect(await undo(session)).toContain('There is nothing to undo')
  })
})

test('/undo works in a session that another agent loads, and is gone with the session', async () => {
  await using lab = await openSessionLab((request) =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result'
      ? { text: 'done' }
      : {
          toolCalls: [
            { name: 'write_file', args: { path: join(lab.path, 'project', 'a.txt'), content: 'new\n' } },
          ],
        },
  )
  const cwd = join(lab.path, 'project')
  await mkdir(cwd)
  await writeFile(join(cwd, 'a.txt'), 'old\n')
  let sessionId = ''
  {
    await using editor = await lab.open()
    sessionId = (await editor.newSession({ cwd })).sessionId
    await editor.prompt(sessionId, 'write')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('new\n')
  }
  {
    await using editor = await lab.open()
    await editor.request('session/load', { sessionId, cwd, mcpServers: [] })
    await editor.prompt(sessionId, '/undo')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('old\n')
    await editor.prompt(sessionId, 'write')
    await editor.request('session/delete', { sessionId })
  }
  const counted = lab.history.journal.read((statements) =>
    statements.get('SELECT count(*) AS count FROM file_changes'),
  )
  expect(counted).toEqual({ count: 0 })
})

test('/undo with words after it explains itself and does nothing', async () => {
  await using session = await openToolSession({})
  await writeFile(join(session.cwd, 'a.txt'), 'one\n')
  await session.callTogether([edit('a.txt', 'one', '1')])
  await session.editor.prompt(session.sessionId, '/undo everything')
  expect(session.editor.text(session.sessionId)).toContain('Usage: `/undo`')
  expect(await readFile(join(session.cwd, 'a.txt'), 'utf8')).toBe('1\n')
})
