import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import { openServerService } from '../../packages/workbench/src/index.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { filesOf, leaksIn } from '../support/canaries.ts'
import { browse, logInWith, startLoginServer, type LoginServer } from '../support/login-lab.ts'
import { until } from '../support/processes.ts'

async function acceptAndBrowse(url: string) {
  void browse(url)
  return { action: 'accept' }
}

test("an editor's server says how to log in, joins the session afterwards, and reveals its tokens nowhere", async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab(({ tools, messages }) => {
    const isAsked = messages.at(-1)?.parts.some((part) => 'text' in part && part.text.includes('go')) === true
    return isAsked && tools.length > 0
      ? { toolCalls: [{ name: 'web__echo', args: { message: 'hi' } }] }
      : { text: 'ok' }
  })
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  const log = join(lab.path, 'log')
  const stateDir = join(lab.path, 'state')
  await using editor = await lab.start({ args: ['--log-level', 'debug', '--log-file', log] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'http', name: 'web', url: server.mcp, headers: [] }],
  })
  await editor.prompt(sessionId, 'go')
  const shown = () => editor.transcript.map(({ line }) => line).join('\n')
  expect(shown()).toContain(`It needs a login. Run: ostler mcp login ${server.mcp}`)

  await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
  // An editor's server is never written to disk.
  expect(Object.keys(await filesOf(stateDir)).filter((path) => path.includes('logins'))).toEqual([])
  await logInWith(service, server.mcp)
  await until('a request with the login', () =>
    server.requests('/mcp').some(({ body }) => body.includes('tools/list')),
  )
  await until('the tool', async () => {
    await editor.prompt(sessionId, 'go')
    return server.requests('/mcp').some(({ body }) => body.includes('tools/call'))
  })
  await server.control('forget')
  await editor.prompt(sessionId, 'go')
  expect(shown()).toContain('needs a login')

  const secrets = server.secrets()
  expect(Object.keys(secrets).length).toBeGreaterThan(3)
  const outputs = {
    transcript: shown(),
    stderr: editor.stderr(),
    log: await readFile(log, 'utf8'),
    ...(await filesOf(stateDir)),
  }
  expect(Object.keys(outputs).filter((path) => path.includes('ostler.db'))).not.toEqual([])
  expect(leaksIn(outputs, secrets)).toEqual([])
})

/** A session with a server that needs a login, in an editor that shows web pages. The person answers each question. */
async function openLoginSession(
  lab: AgentLab,
  server: Pick<LoginServer, 'mcp'>,
  answer: (url: string) => Promise<unknown>,
  url = true,
) {
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  const asked: {
    readonly mode: string
    readonly message: string
    readonly url: string
    readonly elicitationId: string
  }[] = []
  const editor = await lab.open({
    env: { OSTLER_SECRET_STORE: 'file' },
    capabilities: { session: { notices: {} }, elicitation: { form: {}, ...(url && { url: {} }) } },
    handlers: {
      'elicitation/create': (params) => {
        asked.push(params as (typeof asked)[number])
        return answer((params as { url: string }).url)
      },
    },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'http', name: 'web', url: server.mcp, headers: [] }],
  })
  return { editor, sessionId, asked }
}

const hasTool = ({ model }: AgentLab) =>
  model.requests.at(-1)?.tools.some(({ name }) => name === 'web__echo') === true

test('an editor that opens web pages offers the login at once, and the tools join', async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab()
  const browser = Promise.withResolvers<void>()
  const session = await openLoginSession(lab, server, async (url) => {
    void browser.promise.then(() => browse(url))
    return { action: 'accept' }
  })
  await using editor = session.editor
  const { sessionId, asked } = session
  await until('the question, without a prompt', () => asked.length > 0)
  expect(asked[0]).toMatchObject({
    mode: 'url',
    message: expect.stringContaining('"web"'),
    elicitationId: expect.stringMatching(/.{8}/),
  })
  expect(new URL(asked[0]?.url ?? '').origin).toBe(server.url)
  // Prompts do not wait for the person.
  await editor.prompt(sessionId, 'hello')
  expect(hasTool(lab)).toBe(false)
  const isTold = () => editor.received().some(({ method }) => method === 'elicitation/complete')
  expect(isTold()).toBe(false)
  browser.resolve()
  await until('the tool', async () => {
    await editor.prompt(sessionId, 'hello')
    return hasTool(lab)
  })
  await until('the notice that the page is finished', isTold)
  expect(asked).toHaveLength(1)
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  const [login] = history.calls.list({ limit: 9, tool: 'elicitation' })
  expect(login).toMatchObject({ server: 'web', sessionId, status: 'success', rule: 'answer:accepted' })
  expect(history.calls.find(login?.id ?? '')?.arguments).toMatchObject({
    mode: 'url',
    host: new URL(server.url).host,
  })
  const outputs = {
    transcript: editor.transcript.map(({ line }) => line).join('\n'),
    ...(await filesOf(join(lab.path, 'state'))),
  }
  expect(leaksIn(outputs, server.secrets())).toEqual([])
})

test('a login that the person declines, in the console, is not offered again, and the command line has it', async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab()
  const session = await openLoginSession(lab, server, () => new Promise(() => undefined))
  await using editor = session.editor
  const { sessionId, asked } = session
  await until('the question', () => asked.length > 0)
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  const login = await until('the same in the console', () => history.questions.list()[0])
  expect(login.body).toMatchObject({ kind: 'page', server: 'web', url: asked[0]?.url })
  await history.questions.answer(login.id, { choice: 'decline' })
  await until('the answer', () => history.calls.list({ limit: 1 })[0]?.rule === 'answer:declined:console')
  await editor.prompt(sessionId, '/mcp reconnect web')
  await editor.prompt(sessionId, '/mcp')
  expect(asked).toHaveLength(1)
  expect(editor.text(sessionId)).toContain(`It needs a login. Run: ostler mcp login ${server.mcp}`)
  // The listener for the browser has ended with the question.
  const back = new URL(asked[0]?.url ?? '').searchParams.get('redirect_uri') ?? ''
  await expect(fetch(back)).rejects.toThrow('fetch failed')
})

test('an editor that cannot open web pages is asked nothing', async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab()
  const session = await openLoginSession(lab, server, async () => ({ action: 'accept' }), false)
  await using editor = session.editor
  await editor.prompt(session.sessionId, 'hello')
  await editor.prompt(session.sessionId, '/mcp')
  expect(editor.text(session.sessionId)).toContain('It needs a login')
  expect(session.asked).toEqual([])
  expect(server.requests('/register')).toEqual([])
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  expect(history.calls.list({ limit: 9, tool: 'elicitation' })).toEqual([])
})

test('two sessions offer the same login once', async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab()
  const session = await openLoginSession(lab, server, acceptAndBrowse)
  await using editor = session.editor
  const second = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'http', name: 'web', url: server.mcp, headers: [] }],
  })
  await until('the tool in both', async () => {
    await editor.prompt(session.sessionId, 'hello')
    const first = hasTool(lab)
    await editor.prompt(second.sessionId, 'hello')
    return first && hasTool(lab)
  })
  expect(session.asked).toHaveLength(1)
})

/** The model calls these tools in one step, when it is asked to go. */
function openCallingLab(...tools: readonly string[]): Promise<AgentLab> {
  return openAgentLab(({ messages }) => {
    const isAsked =
      messages.at(-1)?.parts.some((part) => part.type === 'text' && part.text.includes('go')) === true
    return isAsked
      ? { toolCalls: tools.map((name) => ({ name: `web__${name}`, args: { message: 'hi' } })) }
      : { text: 'ok' }
  })
}

const resultsOf = ({ model }: AgentLab) =>
  (model.requests.at(-1)?.messages.at(-1)?.parts ?? []).flatMap((part) =>
    part.type === 'tool_result' ? [part.text] : [],
  )

const scopesOf = (server: LoginServer) => server.requests('/authorize').map(({ query }) => query['scope'])

/** Logs in with this scope before the session, so that only a call may need more. */
async function logInBefore(lab: AgentLab, server: LoginServer, scope: string): Promise<void> {
  await using service = await openServerService({
    stateDir: join(lab.path, 'state'),
    env: {},
    secretStore: 'file',
  })
  await logInWith(service, server.mcp, { scope })
}

test('a call that needs more permissions offers the login at once, and is made again', async () => {
  await using server = await startLoginServer({ toolScopes: { echo: 'write' } })
  await using lab = await openCallingLab('echo')
  await logInBefore(lab, server, 'read')
  const session = await openLoginSession(lab, server, acceptAndBrowse)
  await using editor = session.editor
  await editor.prompt(session.sessionId, 'go')
  expect(resultsOf(lab)).toEqual(['Echo: hi'])
  expect(session.asked.map(({ message }) => message)).toEqual([
    expect.stringContaining('to grant: read write'),
  ])
  // The scopes of the login are kept.
  expect(scopesOf(server)).toEqual(['read', 'read write'])
  await editor.prompt(session.sessionId, 'go')
  expect(session.asked).toHaveLength(1)
})

test('a login somewhere else ends the offer for a known server whose login had ended', async () => {
  await using server = await startLoginServer()
  await using lab = await openCallingLab('echo')
  await logInBefore(lab, server, 'read')
  {
    const { editor, sessionId } = await openLoginSession(lab, server, () => new Promise(() => undefined))
    await using _editor = editor
    await editor.prompt(sessionId, 'hello')
  }
  const { editor, sessionId, asked } = await openLoginSession(lab, server, () => new Promise(() => undefined))
  await using _editor = editor
  await server.control('forget')
  await editor.prompt(sessionId, 'go')
  await until('the question', () => asked.length > 0)
  await logInBefore(lab, server, 'read')
  await until('the end of the question', () =>
    editor.received().some(({ method }) => method === '$/cancel_request'),
  )
  await editor.prompt(sessionId, '/mcp')
  expect(editor.text(sessionId)).toContain('**web**: connected')
})

test('two calls that need the same permissions ask once', async () => {
  await using server = await startLoginServer({ toolScopes: { echo: 'write' } })
  await using lab = await openCallingLab('echo', 'echo')
  await logInBefore(lab, server, 'read')
  const session = await openLoginSession(lab, server, acceptAndBrowse)
  await using editor = session.editor
  await editor.prompt(session.sessionId, 'go')
  expect(resultsOf(lab)).toEqual(['Echo: hi', 'Echo: hi'])
  expect(session.asked).toHaveLength(1)
})

test.each([
  ['a person who declines is not asked again', true, 1],
  ['an editor that cannot open web pages is not asked', false, 0],
])('%s for permissions, and the result says how to log in', async (_, url, asked) => {
  await using server = await startLoginServer({ toolScopes: { echo: 'write' } })
  await using lab = await openCallingLab('echo')
  await logInBefore(lab, server, 'read')
  const session = await openLoginSession(lab, server, async () => ({ action: 'decline' }), url)
  await using editor = session.editor
  for (let count = 0; count < 2; count++) {
    await editor.prompt(session.sessionId, 'go')
    expect(resultsOf(lab)).toEqual([
      expect.stringContaining(`Run: ostler mcp login ${server.mcp} --scope 'read write'`),
    ])
  }
  expect(session.asked).toHaveLength(asked)
})

test('cancelling the prompt ends the question for permissions', async () => {
  await using server = await startLoginServer({ toolScopes: { echo: 'write' } })
  await using lab = await openCallingLab('echo')
  await logInBefore(lab, server, 'read')
  const session = await openLoginSession(lab, server, async () => ({ action: 'accept' }))
  await using editor = session.editor
  const ended = editor.prompt(session.sessionId, 'go')
  await until('the question', () => session.asked.length > 0)
  editor.notify('session/cancel', { sessionId: session.sessionId })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  expect(scopesOf(server)).toEqual(['read'])
})

test('a server that refuses every scope is asked once more, and no more', async () => {
  await using server = await startLoginServer({ toolScopes: { echo: 'write' }, refusesAlways: true })
  await using lab = await openCallingLab('echo')
  await logInBefore(lab, server, 'read')
  const session = await openLoginSession(lab, server, acceptAndBrowse)
  await using editor = session.editor
  await editor.prompt(session.sessionId, 'go')
  expect(resultsOf(lab)).toEqual([expect.stringContaining('although the login has the permission')])
  expect(server.requests('/mcp').filter(({ body }) => body.includes('tools/call'))).toHaveLength(2)
  expect(session.asked).toHaveLength(1)
})
