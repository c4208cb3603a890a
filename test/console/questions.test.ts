import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import { createStoredState } from '@ostler/agent-api/internal'
import { openServerService } from '../../packages/workbench/src/index.ts'
import {
  neverAnswer,
  selectPermission,
  type AcpInProcess,
  type AcpPeerOptions,
  type AcpProcess,
} from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { richServer } from '../support/acp-scripted.ts'
import { logInWith, startLoginServer } from '../support/login-lab.ts'
import { lastResult } from '../support/last-result.ts'
import { until } from '../support/processes.ts'
import { ask, openConsole, openConsoleProcess, type OpenConsole } from './console-process.ts'

/** The model calls the tool, and reports the result. */
const script = (request: { messages: readonly { parts: readonly { type: string; text?: string }[] }[] }) => {
  const last = request.messages.at(-1)?.parts.findLast(({ type }) => type === 'tool_result')
  return last === undefined
    ? { toolCalls: [{ name: 'work__alpha', args: { word: 'first' } }] }
    : { text: `It said: ${last.text}` }
}

const tool = {
  name: 'alpha',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', maxLength: 10 } },
    required: ['word'],
    additionalProperties: false,
  },
}

async function openLab() {
  const lab = await openAgentLab(script)
  await lab.offer('work', [tool])
  await lab.writeAgentFile({
    mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } },
  })
  return lab
}

const besideOf = (lab: AgentLab) => ({
  args: ['--agent', join(lab.path, 'ostler.json')],
  stateDir: join(lab.path, 'state'),
  env: lab.model.env,
})
const openBeside = (lab: AgentLab) => openConsole(besideOf(lab))

async function prompt(lab: AgentLab, onPermission?: AcpPeerOptions['onPermission']) {
  return promptIn(await lab.open({ onPermission: onPermission ?? (() => neverAnswer) }), lab)
}

async function promptIn<Editor extends AcpInProcess | AcpProcess>(editor: Editor, lab: AgentLab) {
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  return {
    editor,
    sessionId,
    ended: editor.prompt(sessionId, 'go'),
    [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose](),
  }
}

const questionsOf = async (console: OpenConsole) =>
  (await console.ask('GET', '/api/questions')).json.questions
const firstOf = (console: OpenConsole) => until('the question', async () => (await questionsOf(console))[0])
const lastCall = async (console: OpenConsole) =>
  (await console.ask('GET', '/api/calls?tool=alpha')).json.calls[0]

test('an answer in the console counts, closes the question in the editor, and is kept with its place', async () => {
  await using lab = await openLab()
  await using console = await openBeside(lab)
  await using agent = await prompt(lab)
  const question = await firstOf(console)
  expect(question).toMatchObject({
    sessionId: agent.sessionId,
    body: { ref: { server: 'work', tool: 'alpha' }, args: { word: 'first' } },
  })
  // The same answers as in the editor.
  const { options } = await until('it', () => agent.editor.permissionRequests()[0])
  expect(question.body.choices).toEqual(options.map(({ optionId: id, name, kind }) => ({ id, name, kind })))

  const answer = (body: object) => console.ask('POST', `/api/questions/${question.id}/answer`, body)
  expect(await answer({ choice: 'allow-everything' })).toMatchObject({ status: 422 })
  expect(await answer({ choice: 'allow-once', arguments: { word: 'far too long a word' } })).toMatchObject({
    status: 422,
  })
  expect(await answer({ choice: 'allow-always', arguments: { word: 'other' } })).toMatchObject({
    status: 422,
  })
  expect(await answer({ choice: 'allow-once', extra: 1 })).toMatchObject({ status: 400 })
  expect(await answer({ choice: 'allow-once', arguments: { word: 'second' } })).toMatchObject({ status: 200 })
  expect(await agent.ended).toEqual({ stopReason: 'end_turn' })
  expect(await answer({ choice: 'reject-once' })).toMatchObject({
    status: 409,
    json: { code: 'console.question_closed' },
  })
  expect(await questionsOf(console)).toEqual([])

  const { id } = await lastCall(console)
  expect((await console.ask('GET', `/api/calls/${id}`)).json).toMatchObject({
    status: 'success',
    rule: 'person:allow-once:console',
    arguments: { word: 'second' },
  })
  expect(agent.editor.text(agent.sessionId)).toContain('the person changed the arguments')
  // The editor's dialog was withdrawn.
  const withdrawn = agent.editor.transcript.filter(
    ({ direction, message }) => direction === 'received' && message.method === '$/cancel_request',
  )
  expect(withdrawn).toHaveLength(1)
})

test('an answer in the editor counts, and the console is too late; a console that is killed answers nothing', async () => {
  await using lab = await openLab()
  await using console = await openConsoleProcess(besideOf(lab))
  const answer = Promise.withResolvers<void>()
  await using agent = await prompt(lab, (request) =>
    answer.promise.then(() => selectPermission('reject_once')(request)),
  )
  const question = await firstOf(console)
  console.child.kill('SIGKILL')
  await console.exit
  await using other = await openBeside(lab)
  expect((await questionsOf(other)).map(({ id }: { id: string }) => id)).toEqual([question.id])
  answer.resolve()
  await agent.ended
  expect(
    await other.ask('POST', `/api/questions/${question.id}/answer`, { choice: 'allow-once' }),
  ).toMatchObject({ status: 409 })
  expect(await lastCall(other)).toMatchObject({ status: 'denied', rule: 'person:deny-once' })
  expect(await lab.log('work')).toEqual([])
})

test('a question ends with its turn and with its agent, and of two answers at once one counts', async () => {
  await using lab = await openLab()
  await using console = await openBeside(lab)
  {
    await using agent = await prompt(lab)
    await firstOf(console)
    agent.editor.notify('session/cancel', { sessionId: agent.sessionId })
    await agent.ended
    await until('its end', async () => (await questionsOf(console)).length === 0)
  }
  await using agent = await prompt(lab)
  const { id } = await firstOf(console)
  const answers = await Promise.all(
    ['allow-once', 'reject-once', 'allow-always', 'reject-always'].map((choice) =>
      console.ask('POST', `/api/questions/${id}/answer`, { choice }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  await agent.ended
  await using killed = await promptIn(await lab.start({ onPermission: () => neverAnswer }), lab)
  const open = await until(
    'a question, unless it is allowed for good',
    async () => (await questionsOf(console))[0] ?? (await lastCall(console)).endedAt,
  )
  killed.editor.child.kill('SIGKILL')
  await killed.editor.exit
  expect(await questionsOf(console)).toEqual([])
  if (typeof open === 'object')
    expect(
      await console.ask('POST', `/api/questions/${open.id}/answer`, { choice: 'allow-once' }),
    ).toMatchObject({ status: 409 })
  await killed.ended.catch(() => undefined)
})

test('only this console of this user answers: no other site, nobody without its key, no other user, and no forged row allows anything', async () => {
  await using lab = await openLab()
  await using console = await openBeside(lab)
  await using agent = await prompt(lab)
  const { id } = await firstOf(console)
  const path = `/api/questions/${id}/answer`
  const forged = { method: 'POST', body: JSON.stringify({ choice: 'allow-once' }) }
  const headers = {
    authorization: console.authorization,
    origin: console.origin,
    'content-type': 'application/json',
  }
  for (const change of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { authorization: '' },
    { 'content-type': 'text/plain' },
  ])
    expect(
      (await fetch(`${console.origin}${path}`, { ...forged, headers: { ...headers, ...change } })).status,
    ).toBeGreaterThanOrEqual(400)
  expect((await ask(console.origin, '', 'GET', '/api/questions', undefined)).status).toBe(401)

  if (process.getuid?.() === 0) {
    const code = `try { new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec("UPDATE questions SET answer = '{}'") } catch { process.exit(7) }`
    const stranger = spawn(process.execPath, ['-e', code, join(lab.path, 'state', 'ostler.db')], {
      uid: 65_534,
      gid: 65_534,
      stdio: 'ignore',
      cwd: '/',
      // The system's settings may be closed to others, and then Node does not start.
      env: { OPENSSL_CONF: '/dev/null' },
    })
    expect(await new Promise((resolve) => stranger.on('close', resolve))).toBe(7)
  }
  expect((await questionsOf(console)).length).toBe(1)

  // A program of the same user can write anything here. Only one of the offered answers can allow the call.
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  expect(await history.questions.answer(id, { choice: 'allow-everything', arguments: { word: 'x' } })).toBe(
    true,
  )
  await agent.ended
  expect(await lastCall(console)).toMatchObject({ status: 'denied', rule: 'person:deny-once:console' })
  expect(await lab.log('work')).toEqual([])
})

test.each(['a session', 'the console'])(
  'the questions of a server of %s are answered in the console, and the files hold no answer',
  async (owner) => {
    const steps = [
      ['ask', { mode: 'form' }],
      ['ask', { mode: 'url' }],
      ['think', {}],
    ] as const
    let step = 0
    await using lab = await openAgentLab(({ tools }) => {
      if (tools.length === 0) return { text: 'a thought' }
      const call = steps[step++]
      return call === undefined
        ? { text: 'done' }
        : { toolCalls: [{ name: `rich__${call[0]}`, args: call[1] }] }
    })
    // The calls themselves are allowed; using the model needs approval.
    await lab.writeAgentFile({ approval: { mode: 'trusted-only', trustedTools: ['rich:ask', 'rich:think'] } })
    await using console = await openBeside(lab)
    await using editor = await lab.open({
      onPermission: () => neverAnswer,
      handlers: { 'elicitation/create': () => neverAnswer },
    })
    await editor.initialize({ clientCapabilities: { elicitation: { form: {}, url: {} } } })
    const isStored = owner === 'the console'
    const { command, args } = richServer()
    if (isStored)
      await console.ask('POST', '/api/servers', {
        name: 'rich',
        entry: { type: 'stdio', command, args },
        confirmed: true,
      })
    const { sessionId } = await editor.newSession({
      cwd: lab.path,
      mcpServers: isStored ? [] : [richServer()],
    })
    await until(
      'the server',
      async () => (await console.ask('GET', '/api/servers')).json.live[0]?.status === 'connected',
    )
    const ended = editor.prompt(sessionId, 'go')
    const answer = (id: string, body: object) => console.ask('POST', `/api/questions/${id}/answer`, body)

    const form = await firstOf(console)
    expect(form).toMatchObject({
      sessionId,
      body: { kind: 'form', server: 'rich', message: 'Your name?', schema: { properties: { name: {} } } },
    })
    for (const body of [
      { choice: 'allow-once' },
      { choice: 'accept' },
      { choice: 'decline', arguments: {} },
      { choice: 'accept', arguments: { name: 1 } },
    ])
      expect([body, (await answer(form.id, body)).status]).toEqual([body, 422])
    expect(
      (await answer(form.id, { choice: 'accept', arguments: { name: 'hush-hush-hush', other: 'x' } })).status,
    ).toBe(200)

    const page = await until('the page', async () =>
      (await questionsOf(console)).find(({ id }: { id: string }) => id !== form.id),
    )
    expect(page.body).toEqual({
      kind: 'page',
      server: 'rich',
      message: 'Open it',
      url: 'https://example.com/open',
    })
    expect((await answer(page.id, { choice: 'accept', arguments: {} })).status).toBe(422)
    expect((await answer(page.id, { choice: 'accept' })).status).toBe(200)

    const model = await until('the model', async () =>
      (await questionsOf(console)).find(({ id }: { id: string }) => id !== page.id),
    )
    expect(model.body).toMatchObject({
      kind: 'call',
      title: 'rich: wants to use your model',
      ref: { server: 'rich', tool: 'sampling' },
      isEditable: false,
    })
    expect((await answer(model.id, { choice: 'allow-once' })).status).toBe(200)
    expect(await ended).toEqual({ stopReason: 'end_turn' })

    const results = lab.model.requests
      .at(-1)
      ?.messages.flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? [part.text] : []))
    expect(results).toEqual([
      '{"action":"accept","content":{"name":"hush-hush-hush"}}',
      '{"action":"accept"}',
      expect.stringContaining('a thought'),
    ])
    // The editor's dialogs were withdrawn.
    const withdrawn = editor.transcript.filter(
      ({ direction, message }) => direction === 'received' && message.method === '$/cancel_request',
    )
    expect(withdrawn).toHaveLength(3)

    // The history says how and where each was answered, and nothing of what was typed.
    const { calls } = (await console.ask('GET', `/api/calls?session=${sessionId}`)).json
    const asked = calls
      .filter(({ tool }: { tool: string }) => tool === 'elicitation' || tool === 'sampling')
      .toReversed()
    expect(asked).toMatchObject([
      {
        server: 'rich',
        tool: 'elicitation',
        turn: 1,
        status: 'success',
        decision: 'allow',
        rule: 'answer:accepted:console',
      },
      {
        server: 'rich',
        tool: 'elicitation',
        turn: 1,
        status: 'success',
        decision: 'allow',
        rule: 'answer:accepted:console',
      },
      {
        server: 'rich',
        tool: 'sampling',
        turn: 1,
        status: 'success',
        decision: 'allow',
        rule: 'person:allow-once:console',
      },
    ])
    const details = await Promise.all(
      asked.slice(0, 2).map(({ id }: { id: string }) => console.ask('GET', `/api/calls/${id}`)),
    )
    expect(details.map(({ json }) => json.arguments)).toEqual([
      { mode: 'form', message: 'Your name?', fields: ['name'] },
      { mode: 'url', message: 'Open it', host: 'example.com' },
    ])
    expect(details.map(({ json }) => json.result)).toEqual([{ content: [] }, { content: [] }])
    // Answering is also waiting, for the call that asked.
    const [answered, opened] = asked
    expect([answered.waitedMs, opened.waitedMs]).toEqual([answered.durationMs, opened.durationMs])
    const callers = calls
      .filter(({ tool }: { tool: string }) => tool !== 'elicitation' && tool !== 'sampling')
      .toReversed()
    expect(callers).toHaveLength(asked.length)
    for (const [index, { waitedMs }] of asked.entries())
      expect(callers[index].waitedMs).toBeGreaterThanOrEqual(waitedMs)
    // They do not count as calls of the server, either.
    const { days } = (await console.ask('GET', '/api/calls/statistics?by=tool&days=7')).json
    expect(days.map(({ tool }: { tool: string }) => tool)).not.toContain('elicitation')
    expect(await questionsOf(console)).toEqual([])
  },
)

test.each([
  [
    'the console',
    { choice: 'accept', arguments: { city: 'Lisbon' } },
    'answer:accepted:console',
    '{"city":"Lisbon"}',
  ],
  [
    'the console, with a no',
    { choice: 'decline' },
    'answer:declined:console',
    'The person declined to answer.',
  ],
  ['the editor', undefined, 'answer:accepted', '{"city":"Rome"}'],
])('a form of the agent is answered in %s, and the history says where', async (_, given, rule, result) => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  await using lab = await openAgentLab([
    { toolCalls: [{ name: 'ask_person', args: { message: 'Where to?', schema } }] },
    { text: 'done' },
  ])
  await lab.writeAgentFile({})
  const here = Promise.withResolvers<object>()
  await using editor = await lab.open({ handlers: { 'elicitation/create': () => here.promise } })
  await editor.initialize({ clientCapabilities: { elicitation: { form: {} } } })
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  const ended = editor.prompt(sessionId, 'plan a trip')
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  const question = await until('the question', () => history.questions.list()[0])
  expect(question).toMatchObject({
    sessionId,
    body: { kind: 'form', server: null, message: 'Where to?', schema },
  })
  if (given === undefined) here.resolve({ action: 'accept', content: { city: 'Rome' } })
  else expect(await history.questions.answer(question.id, given)).toBe(true)
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(lastResult(lab.model.requests[1])).toContain(result)
  expect(history.calls.list({ limit: 9 })).toMatchObject([{ server: null, tool: 'ask_person', rule }])
  expect(history.questions.list()).toEqual([])
})

test('an answer passes the database encrypted', async () => {
  await using lab = await openLab()
  await using editor = await lab.open({ onPermission: () => neverAnswer })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  const ended = editor.prompt(sessionId, 'go')
  const stateDir = join(lab.path, 'state')
  using history = createStoredState({ stateDir })
  const { id } = await until('the question', () => history.questions.list()[0])
  expect(history.questions.ids()).toEqual([id])
  // Rejected, so that the arguments are in no call.
  await history.questions.answer(id, { choice: 'reject-once', arguments: { word: 'hush-hush' } })
  await ended
  for (const file of ['ostler.db', 'ostler.db-wal'])
    expect([
      file,
      (await readFile(join(stateDir, file)).catch(() => Buffer.alloc(0))).includes('hush-hush'),
    ]).toEqual([file, false])
})

test('changed arguments of a built-in tool are shown with what they would do, before anything is done', async () => {
  const write = { toolCalls: [{ name: 'write_file', args: { path: 'notes.txt', content: 'one\n' } }] }
  await using lab = await openAgentLab([write, { text: 'done' }])
  await lab.writeAgentFile({ approval: { mode: 'always-ask' } })
  await using editor = await lab.open({ onPermission: () => neverAnswer })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  const ended = editor.prompt(sessionId, 'write')
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  const first = await until('the question', () => history.questions.list()[0])
  expect(first.body).toMatchObject({
    isEditable: true,
    content: [{ type: 'diff', path: join(lab.path, 'notes.txt'), newText: 'one\n' }],
  })
  await history.questions.answer(first.id, {
    choice: 'allow-once',
    arguments: { path: 'other.txt', content: 'two\n' },
  })

  const second = await until('the new question', () =>
    history.questions.list().find(({ id }) => id !== first.id),
  )
  expect(second.body).toMatchObject({
    args: { path: 'other.txt', content: 'two\n' },
    content: [{ type: 'diff', path: join(lab.path, 'other.txt'), newText: 'two\n' }],
  })
  await expect(readFile(join(lab.path, 'other.txt'))).rejects.toThrow('ENOENT')
  await history.questions.answer(second.id, { choice: 'allow-once' })
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(await readFile(join(lab.path, 'other.txt'), 'utf8')).toBe('two\n')
  await expect(readFile(join(lab.path, 'notes.txt'))).rejects.toThrow('ENOENT')
  expect(JSON.stringify(lab.model.requests.at(-1)?.messages.at(-1))).toContain(
    'the person changed the arguments',
  )
})

/** Two agents whose editors show the same login, of a server that was added in the console. */
async function openLogins() {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startLoginServer())
  const lab = opened.use(await openAgentLab())
  await lab.writeAgentFile({})
  const console = opened.use(await openBeside(lab))
  const editors: AcpInProcess[] = []
  for (const _ of ['one', 'two']) {
    const capabilities = { elicitation: { url: {} } }
    const editor = await lab.open({
      env: { OSTLER_SECRET_STORE: 'file' },
      capabilities,
      handlers: { 'elicitation/create': () => neverAnswer },
    })
    editors.push(opened.use(editor))
    await editor.initialize()
    await editor.newSession({ cwd: lab.path, mcpServers: [] })
  }
  const entry = { type: 'http', url: server.mcp }
  expect((await console.ask('POST', '/api/servers', { name: 'web', entry, confirmed: true })).status).toBe(
    201,
  )
  const asked = ({ method }: { readonly method?: string }) => method === 'elicitation/create'
  for (const editor of editors)
    await until('the question in each editor', () => editor.received().some(asked))
  const withdrawn = () =>
    editors.every((editor) => editor.received().some(({ method }) => method === '$/cancel_request'))
  const all = opened.move()
  return { lab, console, withdrawn, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('a login that several agents offer is one question, and is withdrawn everywhere once the person has logged in', async () => {
  await using logins = await openLogins()
  const { lab, console } = logins
  const stateDir = join(lab.path, 'state')
  using history = createStoredState({ stateDir })
  await until('both questions', () => history.questions.list().length === 2)
  expect(await questionsOf(console)).toMatchObject([
    { body: { kind: 'page', server: 'web', message: expect.stringContaining('Log in') } },
  ])

  await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
  await logInWith(service, 'web')
  await until('the end of both', () => history.questions.ids().length === 0 && logins.withdrawn())
  const rules = history.calls.list({ limit: 9, tool: 'elicitation' }).map(({ status }) => status)
  expect(rules).toEqual(['cancelled', 'cancelled'])
})

test('an answer to a login that several agents offer is for all of them', async () => {
  await using logins = await openLogins()
  using history = createStoredState({ stateDir: join(logins.lab.path, 'state') })
  await until('both questions', () => history.questions.list().length === 2)
  const { id } = await firstOf(logins.console)
  expect(
    (await logins.console.ask('POST', `/api/questions/${id}/answer`, { choice: 'decline' })).status,
  ).toBe(200)
  await until('the end of both', () => history.questions.ids().length === 0 && logins.withdrawn())
  const rules = () => history.calls.list({ limit: 9, tool: 'elicitation' }).map(({ rule }) => rule)
  await until('both answers', () => !rules().includes(null))
  expect(rules()).toEqual(['answer:declined:console', 'answer:declined:console'])
})
