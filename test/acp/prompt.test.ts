import { expect, test } from 'vitest'
import { openAcpInProcess } from '../support/acp-harness.ts'
import { openScriptedSession, sumServer } from '../support/acp-scripted.ts'
import { loopbackKey } from '../support/loopback-model/index.ts'
import { fixturePath } from '../support/mcp-clients.ts'

/** A server with the tool `echo`, whose answers have this fault. */
const echoServer = (fault: string) => ({
  name: 'plain',
  command: process.execPath,
  args: [fixturePath('faulty-server.mjs'), fault],
  env: [],
})

test('text and thoughts arrive as they come, each message under its own id, before the one response', async () => {
  await using session = await openScriptedSession({
    script: [{ thoughts: 'let me see', text: ['Hel', 'lo ', 'there'] }],
  })
  const { editor, sessionId } = session
  expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
  const chunks = editor.updates(sessionId).flatMap((update) => {
    if (update.sessionUpdate !== 'agent_message_chunk' && update.sessionUpdate !== 'agent_thought_chunk')
      return []
    return [
      {
        kind: update.sessionUpdate,
        id: update.messageId,
        text: update.content.type === 'text' ? update.content.text : '',
      },
    ]
  })
  const text = (kind: string) =>
    chunks
      .filter((chunk) => chunk.kind === kind)
      .map((chunk) => chunk.text)
      .join('')
  expect(text('agent_thought_chunk')).toBe('let me see')
  expect(text('agent_message_chunk')).toBe('Hello there')
  expect(new Set(chunks.filter(({ kind }) => kind === 'agent_message_chunk').map(({ id }) => id)).size).toBe(
    1,
  )
  expect(editor.updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === 'usage_update')).toBe(true)
})

test('a tool call is shown as pending, is approved, runs and completes, all before the response', async () => {
  await using session = await openScriptedSession({
    script: [
      { toolCalls: [{ name: 'plain__echo', args: { message: 'hello ```there```' } }] },
      { text: 'done' },
    ],
    mcpServers: [echoServer('none')],
  })
  const { editor, sessionId } = session
  expect(await editor.prompt(sessionId, 'echo')).toEqual({ stopReason: 'end_turn' })
  const calls = editor.updates(sessionId).filter((update) => update.sessionUpdate === 'tool_call')
  expect(calls).toEqual([
    expect.objectContaining({
      status: 'pending',
      name: 'plain__echo',
      title: expect.stringContaining('plain: echo'),
      rawInput: { message: 'hello ```there```' },
    }),
  ])
  const statuses = editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : [],
    )
  expect(statuses).toEqual(['in_progress', 'completed'])
  const [request] = editor.permissionRequests()
  expect(request?.toolCall).toMatchObject({
    toolCallId: calls[0]?.toolCallId,
    title: calls[0]?.title,
    name: 'plain__echo',
    status: 'pending',
    rawInput: { message: 'hello ```there```' },
  })
  expect(request?.options.map(({ kind }) => kind)).toEqual([
    'allow_once',
    'allow_always',
    'allow_always',
    'allow_always',
    'reject_once',
    'reject_always',
  ])
  expect(JSON.stringify(request?.toolCall.content)).toContain(fixturePath('faulty-server.mjs'))
})

test('a model that is briefly busy is asked again without a warning', async () => {
  await using session = await openScriptedSession({
    script: [{ status: 429, headers: { 'retry-after-ms': '1' } }, { text: 'hi' }],
  })
  const { editor, sessionId } = session
  expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
  expect(editor.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  expect(editor.log).toContainEqual(
    expect.objectContaining({ level: 'info', message: expect.stringContaining('retrying') }),
  )
})

test('nothing follows the response until something new happens', async () => {
  await using session = await openScriptedSession({
    script: () => ({ text: 'hi' }),
    mcpServers: [sumServer()],
  })
  const { editor, sessionId } = session
  for (let count = 0; count < 3; count++) {
    await editor.prompt(sessionId, 'hi')
    const before = editor.received().length
    await editor.request('authenticate', { methodId: 'environment' })
    expect(editor.received().slice(before, -1)).toEqual([])
  }
})

test('a second prompt is refused with a reason while the first one continues', async () => {
  await using session = await openScriptedSession({ script: [{ hang: 'after_text', text: 'so ' }] })
  const { editor, model, sessionId } = session
  const first = editor.prompt(sessionId, 'one')
  await model.waitForRequests(1)
  await expect(editor.prompt(sessionId, 'two')).rejects.toMatchObject({
    code: -32600,
    data: { code: 'session.busy' },
  })
  editor.notify('session/cancel', { sessionId })
  expect(await first).toEqual({ stopReason: 'cancelled' })
})

test.each([
  [
    'session/cancel',
    (editor: { notify: (method: string, params: object) => void }, sessionId: string) =>
      editor.notify('session/cancel', { sessionId }),
  ],
  [
    '$/cancel_request',
    (editor: { notify: (method: string, params: object) => void }) =>
      editor.notify('$/cancel_request', { requestId: 'the prompt' }),
  ],
])('%s ends a prompt as cancelled, with one response and nothing after it', async (_, cancel) => {
  await using session = await openScriptedSession({
    script: [{ hang: 'after_text', text: ['a', 'b', 'c'] }, { text: 'again' }],
  })
  const { editor, model, sessionId } = session
  const prompt = editor.request(
    'session/prompt',
    { sessionId, prompt: [{ type: 'text', text: 'go' }] },
    'the prompt',
  )
  await editor.waitForUpdate(sessionId, 'agent_message_chunk')
  for (let count = 0; count < 1_000; count++) cancel(editor, sessionId)
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  await model.waitForDisconnect()
  const before = editor.received().length
  await editor.request('authenticate', { methodId: 'environment' })
  expect(editor.received().slice(before, -1)).toEqual([])
  expect(await editor.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
})

test('a cancel sent immediately after its prompt cancels it', async () => {
  await using session = await openScriptedSession({ script: () => ({ hang: 'before_headers' }) })
  const { editor, sessionId } = session
  editor.notify('session/cancel', { sessionId })
  for (let count = 0; count < 20; count++) {
    const id = `prompt ${count}`
    editor.expectAnswer(id, 'session/prompt')
    const prompt = {
      jsonrpc: '2.0',
      id,
      method: 'session/prompt',
      params: { sessionId, prompt: [{ type: 'text', text: 'go' }] },
    }
    const cancel = { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } }
    editor.sendBytes(`${JSON.stringify(prompt)}\n${JSON.stringify(cancel)}\n`)
    const answer = await editor.waitFor((message) => message.id === id)
    expect(answer.result).toEqual({ stopReason: 'cancelled' })
  }
})

test('a cancel during a running tool fails the call with "cancelled" and ends the turn', async () => {
  await using session = await openScriptedSession({
    script: [{ toolCalls: [{ name: 'plain__echo', args: { message: 'hello' } }] }],
    mcpServers: [echoServer('hang-call')],
  })
  const { editor, sessionId } = session
  const prompt = editor.prompt(sessionId, 'go')
  await editor.waitForUpdate(sessionId, 'tool_call_update', ({ status }) => status === 'in_progress')
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  const last = editor.updates(sessionId).findLast((update) => update.sessionUpdate === 'tool_call_update')
  expect(last).toMatchObject({ status: 'failed' })
  expect(JSON.stringify(last)).toMatch(/cancelled/i)
})

test.each(['session/close', 'session/delete'])('%s during a prompt ends it as cancelled', async (method) => {
  await using session = await openScriptedSession({
    script: [{ hang: 'before_headers' }],
    mcpServers: [sumServer()],
  })
  const { editor, model, sessionId } = session
  const prompt = editor.prompt(sessionId, 'go')
  await model.waitForRequests(1)
  const closed = editor.request(method, { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  expect(await closed).toEqual({})
  await model.waitForDisconnect()
})

test('a refused key is an error that names the vendor and never the key', async () => {
  await using session = await openScriptedSession({
    script: () => ({ status: 401, errorMessage: `invalid x-api-key ${loopbackKey}` }),
  })
  const { editor, sessionId } = session
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({
    code: -32000,
    message: expect.stringContaining('Anthropic'),
  })
  expect(JSON.stringify(editor.received()) + JSON.stringify(editor.log)).not.toContain(loopbackKey)
})

test('a missing key asks for authentication with an explanation', async () => {
  await using editor = openAcpInProcess({ agent: { model: 'anthropic/claude-sonnet-4-5', env: {} } })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({
    code: -32000,
    data: { code: 'model.no_key' },
  })
})

test('an unexpected error is sent as a fixed sentence; its own text stays in the log', async () => {
  const secret = 'canary-19cc02'
  await using editor = openAcpInProcess({
    agent() {
      throw new Error(`Authorization: Bearer ${secret}`)
    },
  })
  await editor.initialize()
  const error: unknown = await editor.newSession({ cwd: '/' }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/unexpected/) })
  expect(JSON.stringify(editor.received())).not.toContain(secret)
  expect(JSON.stringify(editor.log)).toContain(secret)
})
