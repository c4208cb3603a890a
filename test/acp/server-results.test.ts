import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScriptedSession, richServer, type ScriptedSession } from '../support/acp-scripted.ts'
import type { ModelPart, ModelRequest, Reply } from '../support/loopback-model/index.ts'

type ToolResultPart = Extract<ModelPart, { type: 'tool_result' }>

let session: ScriptedSession
let replies: Reply[] = []
beforeAll(async () => {
  session = await openScriptedSession({
    script: () => replies.shift() ?? { text: 'done' },
    mcpServers: [richServer()],
  })
})
afterAll(() => session[Symbol.asyncDispose]())

/** Lets the model call tools of the rich server, one per step, and then end its turn. Returns the requests to the model. */
async function callTools(
  ...calls: readonly (readonly [tool: string, args?: object])[]
): Promise<readonly ModelRequest[]> {
  replies = calls.map(([tool, args = {}]) => ({ toolCalls: [{ name: `rich__${tool}`, args }] }))
  const before = session.model.requests.length
  await session.editor.prompt(session.sessionId, 'go')
  return session.model.requests.slice(before)
}

/** The result of a call since the last prompt. */
function resultOf({ model }: ScriptedSession, call = 0): ToolResultPart {
  const { messages = [] } = model.requests.at(-1) ?? {}
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'user'))
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === 'tool_result')
  const found = results[call]
  if (found === undefined) throw new Error(`the model read ${results.length} results`)
  return found
}

function lastUpdate({ editor, sessionId }: ScriptedSession) {
  return editor.updates(sessionId).findLast((update) => update.sessionUpdate === 'tool_call_update')
}

test('a picture reaches the model and the editor once, as an image', async () => {
  await callTools(['picture'])
  const { text, files = [] } = resultOf(session)
  expect(files.map(({ mediaType, data }) => [mediaType, data.length])).toEqual([['image/png', 80_000]])
  expect(text).toBe('')
  const update = lastUpdate(session)
  expect(update?.content).toMatchObject([
    { type: 'content', content: { type: 'image', mimeType: 'image/png' } },
  ])
  expect(JSON.stringify(update?.rawOutput).length).toBeLessThan(200)
})

test('a blob that is a text is read as a text', async () => {
  await callTools(['note_blob'])
  expect(resultOf(session).text).toContain('# hay')
})

test('a missing argument gets its default, a null for an optional one is dropped, and the model is told', async () => {
  await callTools(['shoot', { full: null }])
  const { text, isError } = resultOf(session)
  expect(isError).not.toBe(true)
  expect(text).toContain('shot with {"scale":"css"}')
  expect(text).toContain('scale was missing, so its default "css" was used')
  expect(text).toContain('full was null, so it was left out')
  const started = session.editor
    .updates(session.sessionId)
    .findLast((update) => update.sessionUpdate === 'tool_call')
  expect(started?.rawInput).toEqual({ scale: 'css' })
})

test('a tool for apps only is not offered, and neither is a task that its server cannot run', async () => {
  const [request] = await callTools()
  const offered = request?.tools.map(({ name }) => name)
  expect(offered).toContain('rich__for_both')
  expect(offered).not.toContain('rich__for_apps')
  expect(offered).not.toContain('rich__as_task')
  await session.editor.prompt(session.sessionId, '/mcp')
  expect(session.editor.text(session.sessionId)).toContain(
    '"as_task" left out: it runs only as a task, and its server offers no tasks',
  )
})

test('an error of a server says once that it is one', async () => {
  await callTools(['fail_twice'])
  expect(resultOf(session).text).toBe('MCP error: no hay')
})

test('a tool that is announced before the result of a call is offered in the next step', async () => {
  const requests = await callTools(['grow'], ['grown'])
  const offered = requests.map(({ tools }) => tools.some(({ name }) => name === 'rich__grown'))
  expect(offered).toEqual([false, true, true])
  expect(resultOf(session, 1).text).toBe('I am new')
})

test('each part of a result reaches those it is for', async () => {
  await callTools(['for_two'])
  expect(resultOf(session).text).toBe('for the model\nfor both')
  const texts = lastUpdate(session)?.content?.map((item) =>
    item.type === 'content' && item.content.type === 'text' ? item.content.text : '',
  )
  expect(texts).toEqual(['for the person', 'for both'])
  expect(JSON.stringify(lastUpdate(session))).not.toContain('for the model')
})

test('a result that does not match its output schema says so, and is not a failure', async () => {
  await callTools(['weigh', { kilos: 'many' }], ['weigh', { kilos: 7 }])
  const { text, isError } = resultOf(session)
  expect(isError).not.toBe(true)
  expect(text).toContain(
    '[Note: the structured result does not match what the tool declares: kilos must be number.]',
  )
  expect(resultOf(session, 1).text).not.toContain('Note')
})

test('the question says what the server claims about its tool', async () => {
  await callTools(['weigh', { kilos: 7 }])
  const question = session.editor.permissionRequests().at(-1)
  expect(JSON.stringify(question?.toolCall.content)).toContain(
    'The server says: it may change things, it may destroy things, it reaches nothing beyond its own data.',
  )
})

test('a result that is too large is kept in full, and the model reads the rest', async () => {
  let id = ''
  await using own = await openScriptedSession({
    script({ messages }, index) {
      const result = messages.at(-1)?.parts.find((part) => part.type === 'tool_result')?.text ?? ''
      id ||= /read_result \{"id":"([^"]+)"/.exec(result)?.[1] ?? ''
      const read = (args: object) => ({ toolCalls: [{ name: 'read_result', args: { id, ...args } }] })
      switch (index) {
        case 0:
          return { toolCalls: [{ name: 'rich__recite', args: { lines: 40_000 } }] }
        case 1:
          return read({ offset: 100_000, limit: 50 })
        case 2:
          return read({ line: 39_999 })
        case 3:
          return read({ id: 'call_of-another-session' })
        default:
          return { text: 'done' }
      }
    },
    mcpServers: [richServer()],
  })
  const { editor, model, sessionId } = own
  await editor.prompt(sessionId, 'go')
  const song = Array.from({ length: 40_000 }, (_, index) => `line ${index + 1} of a long song`).join('\n')
  const texts = [0, 1, 2, 3].map((call) => resultOf(own, call).text)
  expect(texts[0]?.length).toBeLessThan(101_000)
  expect(texts[0]).toContain(
    `the whole result is kept: ${song.length} characters. Read more with read_result {"id":"${id}","offset":100000}`,
  )
  expect(texts[1]).toContain(`]\n${song.slice(100_000, 100_050)}`)
  expect(texts[2]).toMatch(/This is the end\.\]\nline 39999 of a long song\nline 40000 of a long song$/)
  expect(texts[3]).toContain('No result is kept for "call_of-another-session" in this session.')
  expect(model.requests.map(({ tools }) => tools.some(({ name }) => name === 'read_result'))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
  expect(editor.permissionRequests()).toHaveLength(1)
})
