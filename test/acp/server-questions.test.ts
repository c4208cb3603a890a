import { expect, test } from 'vitest'
import { openScriptedSession, richServer, type ScriptedOptions, type ScriptedSession } from '../support/acp-scripted.ts'

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
      return call === undefined ? { text: 'done' } : { toolCalls: [{ name: `rich__${call[0]}`, args: call[1] ?? {} }] }
    },
    mcpServers: [richServer()],
    ...options,
  })
}

async function resultsOf(session: ScriptedSession): Promise<string[]> {
  await session.editor.prompt(session.sessionId, 'go')
  const { messages = [] } = session.model.requests.findLast(({ tools }) => tools.length > 0) ?? {}
  return messages.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool_result' ? [part.text] : []))
}

const accept = { 'elicitation/create': () => ({ action: 'accept' }) }
const asked = ({ editor }: ScriptedSession) => editor.received().filter(({ method }) => method === 'elicitation/create')

test.each([
  ['forms', forms, { form: {} }],
  ['pages', pages, { url: {} }],
  ['nothing', {}, undefined],
])('a server is told that the person can be asked with %s, if the editor can', async (_, capabilities, elicitation) => {
  await using session = await open([['capabilities']], { capabilities })
  const [declared = '{}'] = await resultsOf(session)
  expect((JSON.parse(declared) as { elicitation?: object }).elicitation).toEqual(elicitation)
})

test('a call that needs a page is made again once the person has opened it, and the editor learns that it is done', async () => {
  await using session = await open([['visit']], { capabilities: pages, handlers: accept })
  expect(await resultsOf(session)).toEqual(['welcome back'])
  expect(asked(session).map(({ params }) => params)).toMatchObject([
    { mode: 'url', url: 'https://example.com/login', elicitationId: 'page-1', message: expect.stringContaining('Log in') },
  ])
  await session.editor.waitFor(({ method }) => method === 'elicitation/complete')
})

test.each([
  ['the editor cannot open pages', { capabilities: forms }],
  ['the person declines', { capabilities: pages, handlers: { 'elicitation/create': () => ({ action: 'decline' }) } }],
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
    'rich: asks your model again, after 10 requests and 250 tokens',
    'rich: asks your model again, after 10 requests and 250 tokens',
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
