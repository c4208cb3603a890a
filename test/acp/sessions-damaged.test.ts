import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAll, load, openSessionLab, seen, type SessionLab } from '../support/acp-sessions.ts'
import { filesOf } from '../support/canaries.ts'
import { faultyServer } from '../support/mcp-clients.ts'

const secret = 'canary-5517-of-the-session'
const { command, args } = faultyServer('none')
const mcpServers = [{ name: 'server', command, args, env: [{ name: 'API_TOKEN', value: secret }] }]

function changeDatabase({ stateDir }: SessionLab, change: (database: DatabaseSync) => void): void {
  using database = new DatabaseSync(join(stateDir, 'ostler.db'))
  change(database)
}

test('when the process is killed while a secret is being streamed, none of it is stored or shown', async () => {
  await using lab = await openSessionLab(() => ({
    text: ['The token is canary-55', '17-of-the-se'],
    hang: 'after_text',
  }))
  await using editor = await lab.start()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  void editor.prompt(sessionId, 'tell').catch(() => undefined)
  await editor.waitForUpdate(sessionId, 'agent_message_chunk')
  await lab.model.waitForRequests(1)
  process.kill(editor.pid, 'SIGKILL')
  await editor.exit
  const files = Object.values(await filesOf(lab.stateDir)).join('\n')
  expect(files).toContain('The token is ')
  expect(files).not.toContain('canary-55')
  await using other = await lab.open()
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  expect(JSON.stringify(updates)).toContain('The token is ')
  expect(JSON.stringify([updates, seen(editor, sessionId)])).not.toContain('canary-55')
})

test('a turn still in pieces is joined when its session is reopened, without the secret that they form', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  await editor.prompt(sessionId, 'hi')
  editor.closeInput()
  await editor.ended
  changeDatabase(lab, (database) => {
    database.exec(`DELETE FROM messages WHERE body LIKE '{"type":"turn_end"%'`)
    const insert = database.prepare(
      `INSERT INTO messages (session_id, turn, kind, body) VALUES (?, 1, 'event', ?)`,
    )
    for (const text of ['It is canary-55', '17-of-the-', 'session.'])
      insert.run(sessionId, JSON.stringify({ type: 'text', messageId: 'm', text }))
  })
  await using other = await lab.open()
  const { updates } = await load(
    {
      ...other,
      request: (method, params, id) => other.request(method, { ...(params as object), mcpServers }, id),
    },
    {
      sessionId,
      cwd: lab.path,
    },
  )
  expect(JSON.stringify(updates)).toContain('It is [redacted].')
  const texts = lab.history.sessions
    .entries(sessionId)
    .flatMap((entry) => (entry.kind === 'event' && entry.event.type === 'text' ? [entry.event.text] : []))
  expect(texts.at(-1)).toBe('It is [redacted].')
  expect(texts.join()).not.toContain('canary')
})

test('unreadable rows are left out and logged', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const ids: string[] = []
  for (const words of ['one', 'two']) {
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, words)
    ids.push(sessionId)
  }
  editor.closeInput()
  await editor.ended
  const [first = '', second = ''] = ids
  const bodies = [
    'no JSON',
    'null',
    '{}',
    '[]',
    '{"type":"tool_call"}',
    '{"type":"tool_call_update","id":"x"}',
    '{"type":"tool_call_update","id":"x","update":{"content":[{"type":"resource"}]}}',
    '{"type":"server_report"}',
    '{"type":"text","messageId":"m"}',
    '{"type":"of another time"}',
    '{"role":"assistant"}',
    '{"role":"tool","results":[{}]}',
    '[{"type":"image"}]',
  ]
  changeDatabase(lab, (database) => {
    const insert = database.prepare('INSERT INTO messages (session_id, turn, kind, body) VALUES (?, ?, ?, ?)')
    for (const turn of [1, 2])
      for (const kind of ['prompt', 'event', 'message'])
        for (const body of bodies) insert.run(first, turn, kind, body)
    database.prepare(`UPDATE sessions SET directories = 'no JSON' WHERE id = ?`).run(second)
    database.exec(
      `INSERT INTO servers (id, name, config, created_at, updated_at) VALUES ('x', 'x', 'no JSON', '', '')`,
    )
  })
  await using other = await lab.start()
  expect((await listAll(other)).map(({ sessionId }) => sessionId)).toEqual([first])
  const { updates } = await load(other, { sessionId: first, cwd: lab.path })
  expect(
    updates.flatMap((update) => (update.sessionUpdate === 'agent_message_chunk' ? [update.content] : [])),
  ).toEqual([{ type: 'text', text: 'hello' }])
  expect(await other.prompt(first, 'again')).toEqual({ stopReason: 'end_turn' })
  await expect(load(other, { sessionId: second, cwd: lab.path })).rejects.toMatchObject({ code: -32002 })
  other.closeInput()
  await other.exit
  expect(
    other.stderr().match(/a part of the history cannot be read and is left out/g)?.length,
  ).toBeGreaterThanOrEqual(2)
})
