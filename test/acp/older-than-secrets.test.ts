import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sumServer } from '../support/acp-scripted.ts'
import { listAll, load, openSessionLab } from '../support/acp-sessions.ts'
import { textOf } from '../support/loopback-model/script.ts'

const secret = 'canary-7719-that-became-a-secret'
const mcpServers = [{ ...sumServer(), env: [{ name: 'API_TOKEN', value: secret }] }]

test('what was stored before a value became a secret is redacted when its session is read again', async () => {
  await using lab = await openSessionLab(({ messages }) =>
    messages.some(({ parts }) => parts.some(({ type }) => type === 'tool_call'))
      ? { text: `so it is ${secret}` }
      : { toolCalls: [{ name: 'sum__add', args: { a: 1, b: 2, note: `of ${secret}` } }] },
  )
  await using editor = await lab.open({ agent: { mode: 'auto' } })
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, `my value is ${secret}`)
  expect(JSON.stringify(lab.history.sessions.entries(sessionId))).toContain(`of ${secret}`)

  await using other = await lab.open()
  const { updates } = await load(other, { sessionId, cwd: lab.path, mcpServers })
  expect(updates[0]).toMatchObject({ content: { text: 'my value is [redacted]' } })
  expect(JSON.stringify(updates)).toContain('of [redacted]')
  expect(JSON.stringify(updates)).not.toContain(secret)
  expect(JSON.stringify(await listAll(other))).not.toContain(secret)

  const before = lab.model.requests.length
  await other.prompt(sessionId, 'go on')
  const request = lab.model.requests.at(-1)
  expect(lab.model.requests.length).toBeGreaterThan(before)
  expect(request?.messages.map(textOf).join()).toContain('my value is [redacted]')
  expect(JSON.stringify(request)).not.toContain(secret)
})

test('the model reads no secret in the pieces of an answer that was cut off', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  await editor.prompt(sessionId, 'hi')
  editor.closeInput()
  await editor.ended
  {
    using database = new DatabaseSync(join(lab.stateDir, 'ostler.db'))
    const insert = database.prepare('INSERT INTO messages (session_id, turn, kind, body) VALUES (?, 2, ?, ?)')
    insert.run(sessionId, 'prompt', JSON.stringify([{ type: 'text', text: 'tell me' }]))
    for (const text of ['It is canary-77', '19-that-became-', 'a-secret.'])
      insert.run(sessionId, 'event', JSON.stringify({ type: 'text', messageId: 'm', text }))
  }
  await using other = await lab.open()
  const { updates } = await load(other, { sessionId, cwd: lab.path, mcpServers })
  expect(JSON.stringify(updates)).toContain('It is [redacted].')
  await other.prompt(sessionId, 'go on')
  const told = lab.model.requests.at(-1)?.messages.map(textOf).join()
  expect(told).toContain('It is [redacted].')
  expect(told).not.toContain('canary')
})
