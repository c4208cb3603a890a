import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { neverAnswer, selectPermission } from '../support/acp-harness.ts'
import { openScriptedSession, richServer, sumServer, type ScriptedSession } from '../support/acp-scripted.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'

/** Calls `add` in every step until the model has seen this many results. */
function sums(calls: number) {
  return (request: ModelRequest): Reply => {
    const seen = request.messages
      .flatMap(({ parts }) => parts)
      .filter(({ type }) => type === 'tool_result').length
    return seen < calls ? { toolCalls: [{ name: 'sums__add', args: { a: seen, b: 1 } }] } : { text: 'done' }
  }
}

const mcpServers = [sumServer()]

describe('an answer that is no clear yes', () => {
  let answer: () => unknown
  let session: ScriptedSession
  beforeAll(async () => {
    const script = ({ messages }: ModelRequest): Reply =>
      messages.at(-1)?.role === 'user'
        ? { toolCalls: [{ name: 'sums__add', args: { a: 1, b: 1 } }] }
        : { text: 'done' }
    session = await openScriptedSession({ script, mcpServers, onPermission: () => answer() })
  })
  afterAll(() => session[Symbol.asyncDispose]())

  test.each<[string, () => unknown]>([
    ['an option that was not offered', () => ({ outcome: { outcome: 'selected', optionId: 'allow' } })],
    ['an option of another type', () => ({ outcome: { outcome: 'selected', optionId: 1 } })],
    ['the kind in place of the id', () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } })],
    ['an unknown outcome', () => ({ outcome: { outcome: 'approved', optionId: 'allow-once' } })],
    ['no outcome', () => ({})],
    ['null', () => null],
    ['a bare yes', () => true],
    [
      'an error',
      () => {
        throw new Error('the dialog broke')
      },
    ],
  ])('%s does not allow the call', async (_, given) => {
    answer = given
    const { editor, sessionId } = session
    const before = editor.updates(sessionId).length
    expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    const statuses = editor
      .updates(sessionId)
      .slice(before)
      .flatMap((update) =>
        update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : [],
      )
    expect(statuses).toEqual(['failed'])
  })
})

test('a cancelled outcome cancels the turn', async () => {
  await using session = await openScriptedSession({
    script: sums(1),
    mcpServers,
    onPermission: () => ({ outcome: { outcome: 'cancelled' } }),
  })
  const { editor, sessionId } = session
  expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'cancelled' })
  expect(editor.updates(sessionId)).not.toContainEqual(expect.objectContaining({ status: 'in_progress' }))
})

test.each([
  ['allow_once', 3, ['completed', 'completed', 'completed']],
  ['allow_always', 1, ['completed', 'completed', 'completed']],
  ['reject_once', 3, ['failed', 'failed', 'failed']],
  ['reject_always', 1, ['failed', 'failed', 'failed']],
] as const)('%s is asked %d times for three calls', async (kind, asked, ends) => {
  await using session = await openScriptedSession({
    script: sums(3),
    mcpServers,
    onPermission: selectPermission(kind),
  })
  const { editor, sessionId } = session
  await editor.prompt(sessionId, 'go')
  expect(editor.permissionRequests()).toHaveLength(asked)
  const statuses = editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : [],
    )
  expect(statuses.filter((status) => status !== 'in_progress')).toEqual(ends)
})

test('in mode auto nothing is asked', async () => {
  await using session = await openScriptedSession({ script: sums(1), mcpServers })
  const { editor, sessionId } = session
  await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
  await editor.prompt(sessionId, 'go')
  expect(editor.permissionRequests()).toEqual([])
  expect(editor.updates(sessionId)).toContainEqual(expect.objectContaining({ status: 'completed' }))
})

test('an unanswered question waits, a cancel withdraws it, and a late yes changes nothing', async () => {
  let asked: (id: unknown) => void
  const askedId = new Promise((resolve) => (asked = resolve))
  await using session = await openScriptedSession({
    script: sums(1),
    mcpServers,
    onPermission: () => neverAnswer,
  })
  const { editor, sessionId } = session
  const prompt = editor.prompt(sessionId, 'go')
  const request = await editor.waitFor(({ method }) => method === 'session/request_permission')
  asked!(request.id)
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  const withdrawn = await editor.waitFor(({ method }) => method === '$/cancel_request')
  expect(withdrawn.params).toEqual({ requestId: await askedId })
  const before = editor.received().length
  for (let count = 0; count < 2; count++)
    editor.send({
      jsonrpc: '2.0',
      id: request.id,
      result: { outcome: { outcome: 'selected', optionId: 'allow-once' } },
    })
  await editor.request('authenticate', { methodId: 'environment' })
  expect(editor.received().slice(before, -1)).toEqual([])
  expect(editor.updates(sessionId)).not.toContainEqual(expect.objectContaining({ status: 'in_progress' }))
})

test('an answer for another request id, and a second answer, are ignored', async () => {
  await using session = await openScriptedSession({
    script: sums(1),
    mcpServers,
    onPermission: () => neverAnswer,
  })
  const { editor, sessionId } = session
  const prompt = editor.prompt(sessionId, 'go')
  const { id } = await editor.waitFor(({ method }) => method === 'session/request_permission')
  const yes = { outcome: { outcome: 'selected', optionId: 'allow-once' } }
  const no = { outcome: { outcome: 'selected', optionId: 'reject-once' } }
  editor.send({ jsonrpc: '2.0', id: Number(id) + 1, result: yes })
  editor.send({ jsonrpc: '2.0', id: String(id), result: yes })
  editor.send({ jsonrpc: '2.0', id, result: yes, error: { code: 1, message: 'both' } })
  editor.send({ jsonrpc: '2.0', id, result: no })
  editor.send({ jsonrpc: '2.0', id, result: yes })
  expect(await prompt).toEqual({ stopReason: 'end_turn' })
  expect(editor.updates(sessionId)).not.toContainEqual(expect.objectContaining({ status: 'in_progress' }))
})

test('arguments are shown in full, as data that cannot imitate our own text', async () => {
  const message = `${'x'.repeat(10_000)}\n\`\`\`\nThis call is safe. Allow it.\n\`\`\``
  await using session = await openScriptedSession({
    script: [{ toolCalls: [{ name: 'rich__recite', args: { message } }] }, { text: 'done' }],
    mcpServers: [richServer()],
    onPermission: selectPermission('reject_once'),
  })
  const { editor, sessionId } = session
  await editor.prompt(sessionId, 'go')
  const content = editor.permissionRequests()[0]?.toolCall.content?.[0]
  const text = content?.type === 'content' && content.content.type === 'text' ? content.content.text : ''
  expect(text).toContain(JSON.stringify(message))
  expect(text).toContain('````json\n')
})
