import { describe, expect, test } from 'vitest'
import { neverAnswer } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import {
  openScriptedSession,
  richServer,
  type ScriptedOptions,
  type ScriptedSession,
} from '../support/acp-scripted.ts'

const forms = { elicitation: { form: {} } }
const pages = { elicitation: { url: {} } }

/** Lets the model call tools of the rich server, one per step. A request without tools is from the server. */
function open(
  calls: readonly (readonly [tool: string, args?: object])[],
  options: Partial<ScriptedOptions> = {},
): Promise<ScriptedSession> {
  let step = 0
  return openScriptedSession({
    script({ tools }) {
      if (tools.length === 0) return { text: 'a thought', usage: { inputTokens: 20, outputTokens: 5 } }
      const call = calls[step++]
      return call === undefined
        ? { text: 'done' }
        : { toolCalls: [{ name: `rich__${call[0]}`, args: call[1] ?? {} }] }
    },
    mcpServers: [richServer()],
    ...options,
  })
}

async function resultsOf(session: ScriptedSession): Promise<string[]> {
  await session.editor.prompt(session.sessionId, 'go')
  const { messages = [] } = session.model.requests.findLast(({ tools }) => tools.length > 0) ?? {}
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'tool_result' ? [part.text] : []))
}

const accept = { 'elicitation/create': () => ({ action: 'accept' }) }
const asked = ({ editor }: ScriptedSession) =>
  editor.received().filter(({ method }) => method === 'elicitation/create')

test.each([
  ['forms', forms, { form: {} }],
  ['pages', pages, { url: {} }],
  ['nothing', {}, undefined],
])(
  'a server is told that the person can be asked with %s, if the editor can',
  async (_, capabilities, elicitation) => {
    await using session = await open([['capabilities']], { capabilities })
    const [declared = '{}'] = await resultsOf(session)
    expect((JSON.parse(declared) as { elicitation?: object }).elicitation).toEqual(elicitation)
  },
)

test('a call that needs a page is made again once the person has opened it, and the editor learns that it is done', async () => {
  await using session = await open([['visit']], { capabilities: pages, handlers: accept })
  expect(await resultsOf(session)).toEqual(['welcome back'])
  expect(asked(session).map(({ params }) => params)).toMatchObject([
    {
      mode: 'url',
      url: 'https://example.com/login',
      elicitationId: 'page-1',
      message: expect.stringContaining('Log in'),
    },
  ])
  await session.editor.waitFor(({ method }) => method === 'elicitation/complete')
})

test.each([
  ['the editor cannot open pages', { capabilities: forms }],
  [
    'the person declines',
    { capabilities: pages, handlers: { 'elicitation/create': () => ({ action: 'decline' }) } },
  ],
])('the page that a call needs is reported if %s', async (_, options) => {
  await using session = await open([['visit']], options)
  const [result = ''] = await resultsOf(session)
  expect(result).toContain('nothing was run')
  expect(result).toContain('https://example.com/login (Log in)')
})

test('a question that the editor cannot show is declined, and the person learns what was asked', async () => {
  await using session = await open([['ask', { mode: 'url' }]], { capabilities: forms })
  expect(await resultsOf(session)).toEqual(['{"action":"decline"}'])
  expect(asked(session)).toEqual([])
  expect(session.editor.text(session.sessionId)).toContain(
    'The MCP server "rich" asked a question that your editor cannot show, so it was declined: Open it https://example.com/open',
  )
})

test('a server that asks the model too often needs approval again, also in auto mode', async () => {
  await using session = await open([['think', { times: 23 }]])
  const { editor, sessionId } = session
  await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
  expect((await resultsOf(session))[0]).toContain('a thought')
  expect(editor.permissionRequests().map(({ toolCall }) => toolCall.title)).toEqual([
    'rich: wants to use your model again, after 10 requests and 250 tokens',
    'rich: wants to use your model again, after 10 requests and 250 tokens',
  ])
})

test('a server learns why it gets no more answers', async () => {
  const onPermission = () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } })
  await using session = await open([['think', { times: 12 }]], { onPermission })
  const { editor, sessionId } = session
  await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
  expect((await resultsOf(session))[0]).toContain('rejected')
})

test('a server chooses temperature and stop sequences, but no tools', async () => {
  await using session = await open([
    ['think', { temperature: 0.25, stopSequences: ['STOP'] }],
    ['think', { tools: [{ name: 'x', inputSchema: { type: 'object' } }] }],
  ])
  const results = await resultsOf(session)
  expect(session.model.requests.find(({ tools }) => tools.length === 0)?.body).toMatchObject({
    temperature: 0.25,
    stop_sequences: ['STOP'],
  })
  expect(results[1]).toContain('without tools')
})

describe('a server of the agent file', () => {
  const rich = {
    type: 'stdio',
    mode: 'dynamic',
    defaultToolConfig: {},
    command: process.execPath,
    args: richServer().args,
    env: { ASKS_IN_LISTS: '1' },
  }

  /** Opens sessions of an agent whose file has the rich server. A prompt "TOOL {…}" calls it. */
  async function openShared(options: Parameters<AgentLab['open']>[0] = {}) {
    await using opened = new AsyncDisposableStack()
    const lab = opened.use(
      await openAgentLab(({ tools, messages }) => {
        const last = messages.at(-1)?.parts.at(-1)
        if (tools.length === 0) return { text: 'a thought', usage: { inputTokens: 20, outputTokens: 5 } }
        if (last?.type === 'tool_result') return { text: `It said ${last.text}` }
        const texts =
          messages.at(-1)?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? []
        const [, tool = '', args = '{}'] = /^(\w+)(?: (\{.*))?$/m.exec(texts.join('\n')) ?? []
        return {
          toolCalls: [
            { name: tool === 'list_resources' ? tool : `rich__${tool}`, args: JSON.parse(args) as object },
          ],
        }
      }),
    )
    await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: { rich } })
    const editor = opened.use(
      await lab.open({ capabilities: { elicitation: { form: {}, url: {} } }, ...options }),
    )
    await editor.initialize()
    const newSession = async () => (await editor.newSession({ cwd: lab.path, mcpServers: [] })).sessionId
    const all = opened.move()
    return {
      lab,
      editor,
      newSession,
      asked: () => editor.received().filter(({ method }) => method === 'elicitation/create'),
      said: async (sessionId: string, prompt: string) => {
        await editor.prompt(sessionId, prompt)
        return editor.text(sessionId)
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    }
  }

  test.each([
    [
      'forms and pages',
      { elicitation: { form: {}, url: {} } },
      { elicitation: { form: {}, url: {} }, sampling: {} },
    ],
    ['forms', forms, { elicitation: { form: {} }, sampling: {} }],
    ['nothing', {}, { sampling: {} }],
  ])(
    'is told what a server of a session is told, but for its directories: %s',
    async (_, capabilities, expected) => {
      await using shared = await openShared({ capabilities })
      const said = await shared.said(await shared.newSession(), 'capabilities')
      expect(JSON.parse(said.split('It said ')[1] ?? '')).toEqual(expected)
    },
  )

  test('asks the person of the session that calls it, and its model', async () => {
    await using shared = await openShared({
      handlers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }) },
    })
    const [one, two] = [await shared.newSession(), await shared.newSession()]
    expect(await shared.said(two, 'ask {"mode":"form"}')).toContain(
      'It said {"action":"accept","content":{"name":"Ada"}}',
    )
    expect(await shared.said(one, 'ask {"mode":"url"}')).toContain('"action":"accept"')
    expect(shared.asked().map(({ params }) => params)).toMatchObject([
      { sessionId: two, mode: 'form', message: 'The MCP server "rich" asks: Your name?' },
      { sessionId: one, mode: 'url', url: 'https://example.com/open' },
    ])
    expect(await shared.said(one, 'visit')).toContain('welcome back')
    await shared.editor.waitFor(({ method }) => method === 'elicitation/complete')
    expect(await shared.said(two, 'think')).toContain('a thought')
    // A resource is read by a call as well.
    expect(await shared.said(two, 'read_resource {"uri":"ask://form"}')).toContain('"name":"Ada"')
  })

  test('needs approval to use the model, which is remembered for this server', async () => {
    await using shared = await openShared()
    const [one, two] = [await shared.newSession(), await shared.newSession()]
    for (const sessionId of [one, two])
      await shared.editor.request('session/set_mode', { sessionId, modeId: 'always-ask' })
    expect(await shared.said(one, 'think')).toContain('a thought')
    expect(shared.editor.permissionRequests().map(({ toolCall }) => toolCall.title)).toEqual([
      'rich: think',
      'rich: wants to use your model',
    ])
  })

  test('gets no answer while several sessions call it, and each person learns why', async () => {
    const answer = Promise.withResolvers<object>()
    await using shared = await openShared({ handlers: { 'elicitation/create': () => answer.promise } })
    const [one, two] = [await shared.newSession(), await shared.newSession()]
    const first = shared.said(one, 'ask {"mode":"form"}')
    await shared.editor.waitFor(({ method }) => method === 'elicitation/create')
    const why =
      'The MCP server "rich" asked a question while several conversations used it, so it was cancelled: Your name?'
    expect(await shared.said(two, 'ask {"mode":"form"}')).toContain('{"action":"cancel"}')
    answer.resolve({ action: 'accept', content: { name: 'Ada' } })
    expect(await first).toContain('"name":"Ada"')
    for (const sessionId of [one, two]) expect(shared.editor.text(sessionId)).toContain(why)
    expect(shared.asked()).toHaveLength(1)
  })

  test('gets no answer outside a call, and the person learns why', async () => {
    await using shared = await openShared()
    const said = await shared.said(await shared.newSession(), 'list_resources')
    expect(said).toContain(
      'The MCP server "rich" asked a question outside a call, so it was declined: Your name?',
    )
    expect(said).toContain('notedecline')
    expect(shared.asked()).toEqual([])
  })

  test('gets no answer to a question that the editor cannot show', async () => {
    await using shared = await openShared({ capabilities: forms })
    const said = await shared.said(await shared.newSession(), 'ask {"mode":"url"}')
    expect(said).toContain(
      'asked a question that your editor cannot show, so it was declined: Open it https://example.com/open',
    )
    expect(said).toContain('It said {"action":"decline"}')
  })

  test('gets no answer once its call is cancelled', async () => {
    await using shared = await openShared({ handlers: { 'elicitation/create': () => neverAnswer } })
    const sessionId = await shared.newSession()
    const ended = shared.editor.prompt(sessionId, 'ask {"mode":"form"}')
    await shared.editor.waitFor(({ method }) => method === 'elicitation/create')
    shared.editor.notify('session/cancel', { sessionId })
    expect(await ended).toEqual({ stopReason: 'cancelled' })
    await shared.editor.waitFor(({ method }) => method === '$/cancel_request')
  })
})
