import { describe, expect, it, test } from 'vitest'
import { formats, openScriptedSession, sumServer, type ScriptedSession } from '../support/acp-scripted.ts'
import { textOf, type ModelRequest, type Reply } from '../support/loopback-model/script.ts'

const isTask = ({ system }: ModelRequest) => system.includes('one task that was delegated')
const results = ({ messages }: ModelRequest) =>
  messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool_result' ? [part.text] : []))

/** The conversation delegates a task, which makes one call. */
function script(request: ModelRequest): Reply {
  if (isTask(request)) {
    if (results(request).length === 0)
      return {
        thoughts: 'Adding.',
        toolCalls: [{ name: 'sums__add', args: { a: 20, b: 22 } }],
        usage: { inputTokens: 100, outputTokens: 7 },
      }
    return { text: `It is ${results(request)[0]}.`, usage: { inputTokens: 200, outputTokens: 9 } }
  }
  if (results(request).length === 0)
    return { toolCalls: [{ name: 'delegate', args: { task: 'Add 20 and 22' } }] }
  return { text: `The helper says: ${results(request)[0]}` }
}

function callsOf({ editor, sessionId }: ScriptedSession) {
  return editor.updates(sessionId).flatMap((update) => (update.sessionUpdate === 'tool_call' ? [update] : []))
}

function updatesOf({ editor, sessionId }: ScriptedSession, id: string | undefined) {
  return editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.toolCallId === id ? [update] : [],
    )
}

describe.each(formats)('a delegated task in the format %s', (vendor) => {
  it('runs in a fresh context with the same tools and permissions, and its answer is the result', async () => {
    await using session = await openScriptedSession({ vendor, script, mcpServers: [sumServer()] })
    const { editor, sessionId, model } = session
    await editor.prompt(sessionId, 'How much is 20 + 22?')
    expect(editor.text(sessionId)).toMatch(/The helper says: It is .*42/)

    const task = model.requests.find(isTask)
    expect(task?.messages.map(textOf)).toEqual(['Add 20 and 22'])
    const names = task?.tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['read_file', 'sums__add']))
    expect(names).not.toContain('delegate')
    expect(model.requests.at(-1)?.messages).toHaveLength(3)

    const [parent, child, ...others] = callsOf(session)
    expect(others).toEqual([])
    expect(parent).toMatchObject({ title: 'Task: Add 20 and 22', name: 'delegate' })
    expect(child).toMatchObject({
      name: 'sums__add',
      _meta: { 'ostler/parentToolCallId': parent?.toolCallId },
    })
    const shown = updatesOf(session, parent?.toolCallId).map(({ content }) => JSON.stringify(content ?? []))
    expect(shown.some((content) => /- sums: add .*…/.test(content))).toBe(true)
    expect(shown.at(-1)).toMatch(/It is .*42.*- sums: add/)
    // The task is not asked about, its call is.
    expect(editor.permissionRequests().map(({ toolCall }) => toolCall.toolCallId)).toEqual([
      child?.toolCallId,
    ])
  })

  it('is recorded', async () => {
    await using session = await openScriptedSession({
      vendor,
      script,
      mcpServers: [sumServer()],
      agent: { mode: 'auto' },
    })
    const { editor, sessionId } = session
    await editor.prompt(sessionId, 'How much is 20 + 22?')
    const before = editor.text(sessionId).length
    await editor.prompt(sessionId, '/history')
    const table = editor.text(sessionId).slice(before)
    expect(table).toMatch(/`delegate` \| success/)
    expect(table).toMatch(/`sums:add` \| success/)
  })

  it('says what it waits for, and shows no thoughts of its model', async () => {
    let isBusy = true
    const busy = (request: ModelRequest): Reply => {
      if (!isTask(request) || !isBusy) return script(request)
      isBusy = false
      return { status: 529, headers: { 'retry-after': '0.05' } }
    }
    const agent = { mode: 'auto', timing: { modelPatienceMs: 0 } } as const
    await using session = await openScriptedSession({
      vendor,
      script: busy,
      mcpServers: [sumServer()],
      agent,
    })
    const { editor, sessionId } = session
    await editor.prompt(sessionId, 'How much is 20 + 22?')
    const thoughts = editor
      .updates(sessionId)
      .flatMap((update) => (update.sessionUpdate === 'agent_thought_chunk' ? [update] : []))
    expect(thoughts).toEqual([expect.objectContaining({ _meta: { 'ostler/wait': true } })])
    expect(JSON.stringify(thoughts)).toMatch(/\(529\).* Retrying\./)
  })

  it('ends when the turn is cancelled', async () => {
    await using session = await openScriptedSession({
      vendor,
      script: (request) => (isTask(request) ? { text: 'Let me see', hang: 'after_text' } : script(request)),
    })
    const { editor, sessionId, model } = session
    const answered = editor.prompt(sessionId, 'go')
    await model.waitForRequests(2)
    editor.notify('session/cancel', { sessionId })
    expect(await answered).toEqual({ stopReason: 'cancelled' })
    await model.waitForDisconnect()
    expect(updatesOf(session, callsOf(session)[0]?.toolCallId).at(-1)).toMatchObject({ status: 'failed' })
  })
})

test.each<[string, (request: ModelRequest) => Reply, RegExp]>([
  ['fails', () => ({ status: 400, errorMessage: 'nonsense' }), /The task failed: .*nonsense/],
  ['has no answer', () => ({}), /The task has no answer\.|sent an empty answer/],
  [
    'does not end',
    (request) => ({ toolCalls: [{ name: 'sums__add', args: { a: results(request).length, b: 1 } }] }),
    /reached its limit of requests/,
  ],
  [
    'delegates',
    () => ({ toolCalls: [{ name: 'delegate', args: { task: 'again' } }] }),
    /reached its limit of requests/,
  ],
])('the model reads what happened to a task that %s', async (_, task, expected) => {
  await using session = await openScriptedSession({
    script: (request) => (isTask(request) ? task(request) : script(request)),
    mcpServers: [sumServer()],
    agent: { mode: 'auto', maxSteps: 5 },
  })
  await session.editor.prompt(session.sessionId, 'go')
  expect(results(session.model.requests.at(-1) as ModelRequest)[0]).toMatch(expected)
})

test('a cancelled question of a task cancels the turn', async () => {
  await using session = await openScriptedSession({
    script,
    mcpServers: [sumServer()],
    onPermission: () => ({ outcome: { outcome: 'cancelled' } }),
  })
  const { editor, sessionId, model } = session
  expect(await editor.prompt(sessionId, 'How much is 20 + 22?')).toEqual({ stopReason: 'cancelled' })
  expect(model.requests.map(isTask)).toEqual([false, true])
  const [parent, child] = callsOf(session)
  for (const call of [parent, child])
    expect(updatesOf(session, call?.toolCallId).at(-1)).toMatchObject({ status: 'failed' })
  await editor.prompt(sessionId, 'And now?')
  expect(results(model.requests.at(-1) as ModelRequest)).toEqual([expect.stringContaining('cancelled')])
})

test('what a task does is not part of the conversation, also after it is loaded again', async () => {
  await using session = await openScriptedSession({
    script,
    mcpServers: [sumServer()],
    agent: { mode: 'auto' },
  })
  const { editor, sessionId, model, cwd } = session
  await editor.prompt(sessionId, 'How much is 20 + 22?')
  await editor.request('session/close', { sessionId })
  await editor.request('session/load', { sessionId, cwd, mcpServers: [sumServer()] })
  // Shown again as it was: the call, and below it the call of the task.
  expect(callsOf(session).map(({ _meta }) => _meta !== undefined)).toEqual([false, true, false, true])
  await editor.prompt(sessionId, 'And now?')
  const last = model.requests.at(-1)
  const calls = last?.messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool_call')
  expect(calls).toMatchObject([{ name: 'delegate' }])
  expect(JSON.stringify(last?.messages)).not.toContain('- sums: add')
})

test('delegation can be switched off', async () => {
  await using session = await openScriptedSession({
    script: () => ({ text: 'ok' }),
    agent: { builtinTools: { delegate: { enabled: false } } },
  })
  await session.editor.prompt(session.sessionId, 'go')
  expect(session.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('delegate')
})
