import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { createEditorServices } from '../support/acp-editor-tools.ts'
import { neverAnswer, selectPermission, type AcpPeer } from '../support/acp-harness.ts'
import { richServer, sumServer } from '../support/acp-scripted.ts'
import { fixtureServer } from '../support/agent-files.ts'
import {
  conversation,
  listAll,
  load,
  openSessionLab,
  resume,
  seen,
  type SessionLab,
} from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { offeredTools } from '../support/offered-tools.ts'

const library = {
  name: 'books',
  command: process.execPath,
  args: [fixtureServer('library-server.mjs')],
  env: [],
}

const notices = { session: { notices: {} } }

/** Calls the tool named in the prompt (`call NAME {…}`), and answers anything else. */
function obey({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  if (last?.parts.some(({ type }) => type === 'tool_result')) return { text: ['it is ', 'done'] }
  const [, name, args] = /^call (\S+) ?(.*)$/s.exec(textOf(last)) ?? []
  if (name === undefined) return { thoughts: 'let me think', text: ['hel', 'lo'] }
  return { text: 'I will', toolCalls: [{ name, args: JSON.parse(args || '{}') }] }
}

/** Returns the messages that were sent unsolicited within a short time. */
async function quiet(editor: AcpPeer): Promise<unknown[]> {
  const before = editor.received().length
  await new Promise((resolve) => setTimeout(resolve, 150))
  await editor.request('authenticate', { methodId: 'environment' })
  return editor.received().slice(before, -1)
}

const kindsOf = (updates: readonly SessionUpdate[]) => updates.map(({ sessionUpdate }) => sessionUpdate)

/** Longer than the buffers on the editor's side, so that a replay has to wait for a reader. */
async function openLongSession(
  lab: SessionLab,
  editor: AcpPeer,
): Promise<{ sessionId: string; cwd: string }> {
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (let count = 0; count < 2; count++) await editor.prompt(sessionId, `/mcp ${'x'.repeat(1024 * 1024)}`)
  return { sessionId, cwd: lab.path }
}

test('the model continues where it was, with its calls and their results', async () => {
  await using lab = await openSessionLab(obey)
  const mcpServers = [richServer()]
  let sessionId: string
  {
    await using editor = await lab.open()
    ;({ sessionId } = await editor.newSession({ cwd: lab.path, mcpServers }))
    await editor.prompt(sessionId, 'call rich__recite')
    await editor.prompt(sessionId, 'and this')
  }
  const before = lab.model.requests.at(-1)
  await using editor = await lab.open()
  await load(editor, { sessionId, cwd: lab.path })
  await editor.prompt(sessionId, 'go on')
  const messages = lab.model.requests.at(-1)?.messages ?? []
  // Thoughts of earlier turns depend on the vendor, not on loading.
  const spoken = (request: readonly (typeof messages)[number][] | undefined) =>
    request?.map(({ role, parts }) => ({ role, parts: parts.filter(({ type }) => type !== 'thought') }))
  expect(spoken(messages.slice(0, before?.messages.length))).toEqual(spoken(before?.messages))
  expect(messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
})

test('the report of the servers and the offer of tools are kept, also if the first prompt counted as not sent', async () => {
  let isRefused = true
  await using lab = await openSessionLab(() => (isRefused ? { status: 401 } : { text: 'ok' }))
  await using editor = await lab.open()
  const missing = { name: 'missing', command: '/nowhere/missing', args: [], env: [] }
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [missing] })
  await expect(editor.prompt(sessionId, 'one')).rejects.toThrow(/rejected the API key/)
  isRefused = false
  await editor.prompt(sessionId, 'two')
  expect(lab.history.sessions.offers.list(sessionId)).toMatchObject([{ turn: 1, step: 1 }])
  await using other = await lab.open()
  const { updates } = await load(other, { sessionId, cwd: lab.path })
  const report = { type: 'text', text: expect.stringContaining('"missing" is not available') }
  expect(updates).toContainEqual(expect.objectContaining({ content: report }))
})

test('loading again, with prompts in between, loses and changes nothing; resume shows nothing', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const { sessionId } = await first.newSession({ cwd: lab.path })
  const session = { sessionId, cwd: lab.path }
  await first.prompt(sessionId, 'one')
  await first.prompt(sessionId, 'call nobody__nothing')
  const live = seen(first, sessionId)
  await first.request('session/close', { sessionId })

  await using second = await lab.open()
  for (let count = 0; count < 3; count++)
    expect(conversation((await load(second, session)).updates)).toEqual(live)
  const resumed = await resume(second, session)
  expect(kindsOf(resumed.updates)).toEqual(['session_info_update', 'available_commands_update'])
  expect(resumed.response).toEqual((await load(second, session)).response)
  await resume(second, session)
  expect(await quiet(second)).toEqual([])
  const start = second.updates(sessionId).length
  await second.prompt(sessionId, 'three')
  const went = conversation(second.updates(sessionId).slice(start))

  await using third = await lab.open()
  const prompt = {
    sessionUpdate: 'user_message_chunk',
    messageId: 'prompt_3',
    content: { type: 'text', text: 'three' },
  }
  expect(conversation((await load(third, session)).updates)).toEqual([...live, prompt, ...went])
})

test('resume connects the servers it names, and only those', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const { sessionId } = await first.newSession({ cwd: lab.path, mcpServers: [sumServer('before')] })
  await first.prompt(sessionId, 'hi')
  await first.request('session/close', { sessionId })

  await using second = await lab.open({ onPermission: selectPermission('allow_once') })
  const names = () => offeredTools(lab.model.requests.at(-1))
  await resume(second, { sessionId, cwd: lab.path, mcpServers: [sumServer('after')] })
  await until('the server', async () => {
    await second.prompt(sessionId, 'hi')
    return names()?.includes('after__add')
  })
  expect(names()).toEqual(['after__add'])
  await second.prompt(sessionId, 'call after__add {"a":40,"b":2}')
  expect(JSON.stringify(lab.model.requests.at(-1)?.messages.at(-1)?.parts)).toContain('42')
  await resume(second, { sessionId, cwd: lab.path })
  await second.prompt(sessionId, 'and now?')
  expect(names()).toEqual([])
})

test.each(['session/load', 'session/resume'])('%s of a session that never had a prompt', async (method) => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const { sessionId } = await first.newSession({ cwd: lab.path })
  await first.waitForUpdate(sessionId, 'available_commands_update')
  await using second = await lab.open()
  for (const editor of [first, second]) {
    const { response, updates } = await (method === 'session/load' ? load : resume)(editor, {
      sessionId,
      cwd: lab.path,
    })
    expect(kindsOf(updates)).toEqual(['available_commands_update'])
    expect(response.modes?.currentModeId).toBe('always-ask')
  }
  expect(await second.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
})

test('a session that is open here is ended first: its prompt is answered, and then shown with the rest', async () => {
  await using lab = await openSessionLab((request) =>
    textOf(request.messages.at(-1)) === 'hang'
      ? { text: ['I was about to'], hang: 'after_text' }
      : obey(request),
  )
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'one')
  const prompt = editor.request(
    'session/prompt',
    { sessionId, prompt: [{ type: 'text', text: 'hang' }] },
    'hanging',
  )
  await editor.waitForUpdate(sessionId, 'agent_message_chunk', ({ content }) =>
    JSON.stringify(content).includes('about'),
  )
  const { updates } = await load(editor, { sessionId, cwd: lab.path })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  const answered = editor.received().findIndex(({ id }) => id === 'hanging')
  const replayed = editor
    .received()
    .findIndex(
      ({ params }) =>
        (params as { update?: SessionUpdate } | undefined)?.update?.sessionUpdate === 'user_message_chunk',
    )
  expect(answered).toBeLessThan(replayed)
  expect(JSON.stringify(conversation(updates))).toContain('I was about to')
  expect(await editor.prompt(sessionId, 'two')).toEqual({ stopReason: 'end_turn' })
})

test('an open question is withdrawn when its session is loaded again', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open({ onPermission: () => neverAnswer })
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  const prompt = editor.prompt(sessionId, 'call sums__add {"a":1,"b":2}')
  await editor.waitFor(({ method }) => method === 'session/request_permission')
  const { updates } = await load(editor, { sessionId, cwd: lab.path })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  expect(updates).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
  )
  await editor.waitFor(({ method }) => method === '$/cancel_request')
})

test('the current servers are used; loading waits for no server, and reports no server before a prompt', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open({ capabilities: notices })
  const { sessionId } = await first.newSession({ cwd: lab.path, mcpServers: [sumServer('before')] })
  await first.prompt(sessionId, 'hi')
  await first.request('session/close', { sessionId })
  const mcpServers = [
    sumServer('now'),
    { name: 'hangs', command: 'sleep', args: ['300'], env: [] },
    { name: 'missing', command: '/no/such/program', args: [], env: [] },
  ]
  await using editor = await lab.open({ capabilities: notices, agent: { connectWaitMs: 1 } })
  const { updates } = await load(editor, { sessionId, cwd: lab.path, mcpServers })
  expect(kindsOf(updates)).not.toContain('notice')
  expect(await quiet(editor)).toEqual([])
  await until('its tools', () => editor.log.some(({ message }) => message.includes("'add' from MCP 'now'")))
  await editor.prompt(sessionId, 'hi')
  expect(offeredTools(lab.model.requests.at(-1))).toEqual(['now__add'])
  const [notice, ...others] = editor.updates(sessionId).filter((update) => update.sessionUpdate === 'notice')
  expect(notice?.description).toContain('missing: command not found')
  expect(others).toEqual([])
})

test('changes that a server makes later are reported', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open({ quietMs: 1 })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  const before = editor.updates(sessionId).length
  await load(editor, { sessionId, cwd: lab.path, mcpServers: [library] })
  const names = () =>
    editor
      .updates(sessionId)
      .slice(before)
      .flatMap((update) =>
        update.sessionUpdate === 'available_commands_update'
          ? [update.availableCommands.map(({ name }) => name)]
          : [],
      )
  await until('the commands of the server', () =>
    names()
      .at(-1)
      ?.some((name) => name.startsWith('books:')),
  )
  expect(names()[0]?.filter((name) => name.includes(':'))).toEqual([])
})

test('a report that was part of the conversation is replayed, a notice never', async () => {
  await using lab = await openSessionLab(obey)
  await using plain = await lab.open()
  const mcpServers = [{ name: 'missing', command: '/no/such/program', args: [], env: [] }]
  const { sessionId } = await plain.newSession({ cwd: lab.path, mcpServers })
  await plain.prompt(sessionId, 'hi')
  const report = seen(plain, sessionId)[1]
  expect(report).toMatchObject({
    sessionUpdate: 'agent_message_chunk',
    messageId: expect.stringMatching(/^report_/),
  })
  await using other = await lab.open()
  expect(conversation((await load(other, { sessionId, cwd: lab.path })).updates)).toEqual(
    seen(plain, sessionId),
  )
  await using withNotices = await lab.open({ capabilities: notices })
  const { updates } = await load(withNotices, { sessionId, cwd: lab.path })
  expect(conversation(updates)).toEqual(seen(plain, sessionId).filter((update) => update !== report))
  expect(kindsOf(updates)).not.toContain('notice')
})

test("the person's choices still apply, and unavailable ones are replaced", async () => {
  await using lab = await openSessionLab(obey)
  let sessionId: string
  let other: string
  {
    await using editor = await lab.open()
    const session = await editor.newSession({ cwd: lab.path })
    ;({ sessionId } = session)
    other =
      /"value":"(anthropic\/[^"]+)"/.exec(
        JSON.stringify(session.configOptions).replaceAll(lab.model.modelId, ''),
      )?.[1] ?? ''
    await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
    await editor.request('session/set_config_option', { sessionId, configId: 'model', value: other })
  }
  const valuesOf = ({ configOptions }: { configOptions?: readonly { currentValue?: unknown }[] | null }) =>
    configOptions?.map(({ currentValue }) => currentValue)
  await using again = await lab.open()
  const { response } = await load(again, { sessionId, cwd: lab.path })
  expect(response.modes?.currentModeId).toBe('auto')
  expect(valuesOf(response as never)).toEqual(['auto', other, 'default'])
  await using keyless = await lab.open({ agent: { model: 'offline', env: {} } })
  const replaced = await load(keyless, { sessionId, cwd: lab.path })
  expect(valuesOf(replaced.response as never)).toEqual(['auto', 'offline'])
  expect(await keyless.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
  // The key is available again.
  expect(valuesOf((await resume(again, { sessionId, cwd: lab.path })).response as never)).toEqual([
    'auto',
    other,
    'default',
  ])
})

test('the directories are those of the request', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  const inner = join(lab.path, 'inner')
  await mkdir(inner)
  const { sessionId } = await editor.newSession({ cwd: lab.path, additionalDirectories: ['/tmp'] })
  const systemAfter = async (params: object) => {
    await load(editor, { sessionId, cwd: lab.path, ...params })
    await editor.prompt(sessionId, 'hi')
    return lab.model.requests.at(-1)?.system ?? ''
  }
  const again = await systemAfter({})
  expect(again).toContain(`The working directory is ${lab.path}.`)
  expect(again).not.toContain('/tmp.')
  expect(await listAll(editor)).toMatchObject([{ cwd: lab.path, additionalDirectories: [] }])
  await systemAfter({ additionalDirectories: [inner] })
  expect(await listAll(editor)).toMatchObject([{ cwd: lab.path, additionalDirectories: [inner] }])
  // A session stays listed under the directory it was created in.
  expect(await systemAfter({ cwd: inner })).toContain(`The working directory is ${inner}.`)
  expect(await listAll(editor)).toMatchObject([{ cwd: lab.path, additionalDirectories: [inner] }])
})

test.each(['session/load', 'session/resume'])(
  '%s names the field that is wrong, and leaves what is open as it is',
  async (method) => {
    await using lab = await openSessionLab(obey)
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    const refused = (params: object, field: string) =>
      expect(editor.request(method, params)).rejects.toMatchObject({ code: -32602, data: { field } })
    await refused({ cwd: lab.path, mcpServers: [] }, 'sessionId')
    await refused({ sessionId: 7, cwd: lab.path, mcpServers: [] }, 'sessionId')
    await refused({ sessionId, mcpServers: [] }, 'cwd')
    await refused({ sessionId, cwd: 'relative', mcpServers: [] }, 'cwd')
    await refused({ sessionId, cwd: join(lab.path, 'missing'), mcpServers: [] }, 'cwd')
    await refused({ sessionId, cwd: lab.path, mcpServers: {} }, 'mcpServers')
    await refused(
      { sessionId, cwd: lab.path, mcpServers: [], additionalDirectories: ['x'] },
      'additionalDirectories[0]',
    )
    for (const unknown of ['', 'nobody', '../x', 'x'.repeat(10_000)]) {
      await expect(
        editor.request(method, { sessionId: unknown, cwd: lab.path, mcpServers: [] }),
      ).rejects.toMatchObject({
        code: -32002,
        data: { sessionId: unknown },
      })
    }
    expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
    expect(await editor.request(method, { sessionId, cwd: lab.path })).toHaveProperty('modes')
  },
)

test.each(['session/load', 'session/resume'])('%s reports the entries that are malformed', async (method) => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'hi')
  await editor.request('session/close', { sessionId })
  const mcpServers = [sumServer(), { name: 'socket', type: 'websocket', url: 'wss://x' }]
  await editor.request(method, { sessionId, cwd: lab.path, mcpServers })
  await editor.prompt(sessionId, 'hi')
  expect(editor.text(sessionId)).toContain('MCP server "socket" is not available: its "type" must be')
})

test('a cancelled load is answered as cancelled, and leaves nothing open', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const session = await openLongSession(lab, first)
  await using editor = await lab.open()
  editor.pauseReading()
  const loading = editor.request('session/load', { ...session, mcpServers: [sumServer()] }, 'loading')
  const prompt = editor.prompt(session.sessionId, 'too early')
  await editor.agentWaits()
  editor.notify('$/cancel_request', { requestId: 'loading' })
  await until('the end of the load', () =>
    editor.log.some(({ message }) => message === 'session/load was refused'),
  )
  editor.resumeReading()
  await expect(loading).rejects.toMatchObject({ code: -32800 })
  await expect(prompt).rejects.toMatchObject({ code: -32600, data: { code: 'session.busy' } })
  await expect(editor.prompt(session.sessionId, 'hi')).rejects.toMatchObject({ code: -32002 })
  expect(conversation((await load(editor, session)).updates)).toEqual(seen(first, session.sessionId))
})

test.each(['session/close', 'session/delete'])('%s ends a load', async (method) => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const session = await openLongSession(lab, first)
  await using editor = await lab.open()
  editor.pauseReading()
  const loads = [1, 2].map(() => editor.request('session/load', { ...session, mcpServers: [] }))
  await editor.agentWaits()
  const ended = editor.request(method, { sessionId: session.sessionId })
  await until(
    'the end of the loads',
    () => editor.log.filter(({ message }) => message === 'session/load was refused').length === 2,
  )
  const after = editor.request('session/load', { ...session, mcpServers: [] })
  editor.resumeReading()
  for (const loading of loads)
    await expect(loading).rejects.toMatchObject({ code: -32002, data: { code: 'session.closed' } })
  expect(await ended).toEqual({})
  // Later requests are handled afterwards.
  if (method === 'session/close') expect(await after).toHaveProperty('modes')
  else await expect(after).rejects.toMatchObject({ code: -32002, data: { sessionId: session.sessionId } })
})

test('of two simultaneous loads the later one wins, and each shows everything', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const { sessionId } = await openLongSession(lab, first)
  await using editor = await lab.open()
  const loading = (name: string) =>
    editor.request('session/load', { sessionId, cwd: lab.path, mcpServers: [sumServer(name)] }, name)
  editor.pauseReading()
  const loads = [loading('one'), loading('two'), loading('three')]
  await editor.agentWaits()
  editor.resumeReading()
  await Promise.all(loads)
  const shown = conversation(editor.updates(sessionId))
  const live = seen(first, sessionId)
  expect(shown).toEqual([...live, ...live, ...live])
  expect(
    editor
      .received()
      .flatMap(({ id, result }) => (result !== undefined && typeof id === 'string' ? [id] : [])),
  ).toEqual(['one', 'two', 'three'])
  await editor.prompt(sessionId, 'hi')
  expect(offeredTools(lab.model.requests.at(-1))).toEqual(['three__add'])
})

test('a load while the session is being closed waits for that, and opens it again', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, 'hi')
  const answers: string[] = []
  const closing = editor.request('session/close', { sessionId }).then(() => answers.push('closed'))
  const loading = editor
    .request('session/load', { sessionId, cwd: lab.path, mcpServers: [] })
    .then(() => answers.push('loaded'))
  await Promise.all([closing, loading])
  expect(answers).toEqual(['closed', 'loaded'])
  expect(await editor.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' })
})

test('an editor that leaves during a replay ends it', async () => {
  await using lab = await openSessionLab(obey)
  await using first = await lab.open()
  const session = await openLongSession(lab, first)
  const editor = await lab.open()
  editor.pauseReading()
  editor.request('session/load', { ...session, mcpServers: [sumServer()] }).catch(() => undefined)
  await editor.agentWaits()
  editor.closeInput()
  await expect(editor.ended).resolves.toBeUndefined()
})

test('closed sessions are kept, deleted ones are removed from every table', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  // All tables with session data, including the text index.
  const rows = (): Record<string, number> =>
    lab.history.journal.read((statements) => {
      const found =
        statements.all(`SELECT name FROM sqlite_schema AS t WHERE type = 'table' AND (name = 'sessions' OR
        sql LIKE 'CREATE VIRTUAL%' OR EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'session_id'))`)
      return Object.fromEntries(
        found.map(({ name }) => [
          String(name),
          Number(statements.get(`SELECT count(*) AS count FROM ${String(name)}`)?.['count']),
        ]),
      )
    })
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, 'call sums__add {"a":1,"b":2}')
  const { sessions, messages, tool_calls: calls, ...others } = rows()
  expect({ sessions, calls }).toEqual({ sessions: 1, calls: 1 })
  expect(messages).toBeGreaterThan(0)
  expect(Object.values(others)).toContain(1)
  expect(await editor.request('session/close', { sessionId })).toEqual({})
  expect(await editor.request('session/close', { sessionId })).toEqual({})
  expect(rows()).toMatchObject({ sessions, messages, tool_calls: calls })
  expect(await listAll(editor)).toHaveLength(1)
  await load(editor, { sessionId, cwd: lab.path })
  const prompt = editor.prompt(sessionId, 'call sums__add {"a":1,"b":2}')
  expect(await editor.request('session/delete', { sessionId })).toEqual({})
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  expect(new Set(Object.values(rows()))).toEqual(new Set([0]))
  for (const unknown of [sessionId, 'never', ''])
    expect(await editor.request('session/delete', { sessionId: unknown })).toEqual({})
  await expect(load(editor, { sessionId, cwd: lab.path })).rejects.toMatchObject({
    code: -32002,
    data: { sessionId },
  })
  expect(await listAll(editor)).toEqual([])
})

test('a session that another process deletes continues here, and is stored again with its next prompt', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  await using other = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, 'hi')
  expect(await other.request('session/delete', { sessionId })).toEqual({})
  await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
  // There is nothing to load, so the open session stays open.
  await expect(load(editor, { sessionId, cwd: lab.path })).rejects.toMatchObject({ code: -32002 })
  expect(await listAll(other)).toEqual([])
  expect(await editor.prompt(sessionId, 'call sums__add {"a":1,"b":2}')).toEqual({ stopReason: 'end_turn' })
  expect(await listAll(other)).toMatchObject([{ sessionId, title: 'hi' }])
  expect(lab.history.calls.list({ limit: 9 })).toMatchObject([{ sessionId, tool: 'add' }])
  expect(lab.history.sessions.find(sessionId)).toMatchObject({ mode: 'auto' })
})

test('commands are replayed, but the model is only told what it was told before', async () => {
  await using lab = await openSessionLab(obey)
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [library] })
  await editor.prompt(sessionId, '/mcp')
  await editor.prompt(sessionId, '/tools')
  await editor.prompt(sessionId, '/books:travel Lyon')
  await editor.prompt(sessionId, '/books:travel')
  const live = seen(editor, sessionId)
  await using other = await lab.open()
  expect(conversation((await load(other, { sessionId, cwd: lab.path })).updates)).toEqual(live)
  await other.prompt(sessionId, 'and now?')
  const { messages = [] } = lab.model.requests.at(-1) ?? {}
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(textOf(messages[0])).toContain('Lyon')
  expect(textOf(messages[2])).toBe('and now?')
})

test('a diff is replayed as it was; a lost terminal is replaced by its output', async () => {
  await using lab = await openSessionLab(obey)
  await using services = createEditorServices()
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }
  await using editor = await lab.open({ capabilities, handlers: services.handlers })
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'a.txt'), 'one\n')
  const { sessionId } = await editor.newSession({ cwd: dir.path })
  await editor.prompt(sessionId, 'call write_file {"path":"a.txt","content":"two\\n"}')
  await editor.prompt(sessionId, 'call run_command {"command":"echo printed"}')
  const live = seen(editor, sessionId)
  expect(JSON.stringify(live)).toContain('"type":"terminal"')
  await using other = await lab.open({ capabilities })
  const shown = conversation((await load(other, { sessionId, cwd: dir.path })).updates)
  const withoutContent = (updates: readonly SessionUpdate[]) =>
    updates.map((update) =>
      update.sessionUpdate === 'tool_call_update' ? { ...update, content: [] } : update,
    )
  expect(withoutContent(shown)).toEqual(withoutContent(live))
  const contents = shown.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' ? (update.content ?? []) : [],
  )
  expect(contents).toContainEqual({
    type: 'diff',
    path: join(dir.path, 'a.txt'),
    oldText: 'one\n',
    newText: 'two\n',
  })
  expect(contents).toContainEqual({
    type: 'content',
    content: { type: 'text', text: '```\nprinted\n```\n\n[exit code 0]' },
  })
  expect(JSON.stringify(shown)).not.toContain('"type":"terminal"')
})
