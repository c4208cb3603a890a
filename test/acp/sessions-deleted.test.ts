import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { fixtureServer } from '../support/agent-files.ts'
import { selectPermission } from '../support/acp-peer.ts'
import { conversation, listAll, load, openSessionLab } from '../support/acp-sessions.ts'
import { until } from '../support/processes.ts'
import { runCli } from '../support/run-cli.ts'

const promptsIn = (updates: readonly SessionUpdate[]) =>
  updates.flatMap((update) =>
    update.sessionUpdate === 'user_message_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : [],
  )

const slow = {
  name: 'slow',
  command: process.execPath,
  args: [fixtureServer('slow-start.mjs'), '0', 'slow'],
  env: [],
}

test('a session that another agent deletes while it is open continues, and is stored from then on', async () => {
  await using lab = await openSessionLab((_, index) =>
    index === 2 ? { toolCalls: [{ name: 'slow__slow_tool', args: {} }] } : { text: `answer ${index}` },
  )
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [slow] })
  await editor.prompt(sessionId, 'before')
  await using other = await lab.open()
  expect(await other.request('session/delete', { sessionId })).toEqual({})
  expect(await listAll(other)).toEqual([])

  await editor.prompt(sessionId, 'after')
  await editor.prompt(sessionId, 'once more')
  expect(await listAll(other)).toMatchObject([{ sessionId, title: 'before' }])
  expect(lab.history.calls.list({ limit: 9 })).toMatchObject([{ sessionId, turn: 3, server: 'slow' }])
  expect(lab.history.sessions.entries(sessionId).map(({ turn }) => turn)[0]).toBe(2)
  editor.closeInput()
  await editor.ended

  const { updates } = await load(other, { sessionId, cwd: lab.path })
  expect(promptsIn(updates)).toEqual(['after', 'once more'])
  await other.prompt(sessionId, 'go on')
  expect(lab.model.requests.at(-1)?.messages.map(({ role }) => role)[0]).toBe('user')
})

test('a session deleted during a turn keeps everything that the model knows about that turn', async () => {
  await using lab = await openSessionLab((_, index) =>
    index === 1
      ? { text: 'I ask the tool.', toolCalls: [{ name: 'slow__slow_tool', args: {} }] }
      : { text: 'It is done.' },
  )
  await using other = await lab.open()
  let sessionId = ''
  // While the person is being asked, the call has a row but no end.
  await using editor = await lab.open({
    async onPermission(request) {
      await other.request('session/delete', { sessionId })
      return selectPermission('allow_once')(request)
    },
  })
  sessionId = (await editor.newSession({ cwd: lab.path, mcpServers: [slow] })).sessionId
  await editor.prompt(sessionId, 'earlier')
  await editor.prompt(sessionId, 'do it')
  expect(lab.history.calls.list({ limit: 9 })).toMatchObject([
    {
      sessionId,
      turn: 2,
      server: 'slow',
      status: 'success',
      decision: 'allow',
      rule: expect.stringContaining('person'),
    },
  ])
  editor.closeInput()
  await editor.ended

  const { updates } = await load(other, { sessionId, cwd: lab.path })
  expect(promptsIn(updates)).toEqual(['do it'])
  expect(conversation(updates).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'user_message_chunk',
    'tool_call',
    'tool_call_update',
    'tool_call_update',
    'agent_message_chunk',
    'usage_update',
  ])
  await other.prompt(sessionId, 'go on')
  expect(lab.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})

test('the command line does not delete sessions open in a living process, unless forced', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.start()
  const ids: string[] = []
  for (let opened = 0; opened < 2; opened++) {
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'hello')
    await until('the mark', () => lab.history.presence.isSessionOpen(sessionId))
    ids.push(sessionId)
  }
  const [sessionId = ''] = ids
  const remove = (...args: readonly string[]) =>
    runCli(['sessions', 'delete', ...args, '--yes', '--state-dir', lab.stateDir])
  expect(await remove(sessionId)).toEqual({
    code: 1,
    stdout: '',
    stderr: `ostler: Session ${sessionId.slice(0, 8)} is open in an editor. Close it there first, or use --force to delete it anyway.\n`,
  })
  expect(await remove(...ids)).toEqual({
    code: 1,
    stdout: '',
    stderr: `ostler: Sessions ${ids.map((id) => id.slice(0, 8)).join(', ')} are open in an editor. Close them there first, or use --force to delete them anyway.\n`,
  })
  expect(await listAll(editor)).toHaveLength(2)
  const listed = async () => (await listAll(editor)).find((session) => session.sessionId === sessionId)
  expect(await remove(sessionId, '--force')).toMatchObject({ code: 0, stdout: `Deleted ${sessionId}.\n` })
  expect(await listed()).toBeUndefined()
  await editor.prompt(sessionId, 'still here')
  expect(await listed()).toMatchObject({ title: 'hello' })

  process.kill(editor.pid, 'SIGKILL')
  await editor.exit
  expect(await remove(sessionId)).toMatchObject({ code: 0 })
})
