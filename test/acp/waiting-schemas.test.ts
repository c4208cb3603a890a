import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentConfig } from '@ostler/agent-api'
import { describe, expect, test } from 'vitest'
import {
  formats,
  openScriptedSession,
  type ScriptedOptions,
  type ScriptedSession,
} from '../support/acp-scripted.ts'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import { changingServer } from '../support/agent-lab.ts'
import {
  textOf,
  type ModelRequest,
  type Reply,
  type Script,
  type ScriptedToolCall,
} from '../support/loopback-model/script.ts'
import { openTempDir } from '../support/temp-dir.ts'

const schema = {
  type: 'object',
  properties: {
    title: {
      type: 'string',
      description: 'What it is about, in a few words that a person understands. '.repeat(4),
    },
    ms: { type: 'integer', description: 'How long it may take. '.repeat(8) },
  },
  required: ['title'],
}

/** A server with 30 tools, such as `shop__make_3`. */
const toolsOf = (server: string) =>
  Array.from({ length: 30 }, (_, index) => ({
    name: `make_${index}`,
    description: `Makes number ${index} of the ${server}. ${'It does so with great care. '.repeat(6)}`,
    inputSchema: schema,
  }))

async function writeServers(names: readonly string[]) {
  const dir = await openTempDir()
  const list = await Promise.all(
    names.map(async (name) => {
      const file = join(dir.path, `${name}.json`)
      await writeFile(file, JSON.stringify(toolsOf(name)))
      return { name, command: process.execPath, args: [changingServer, file], env: [] }
    }),
  )
  return { list, path: dir.path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() }
}

/** Two servers whose definitions take more than their share of the window. */
async function openWaiting({ agent, ...options }: Partial<ScriptedOptions>) {
  await using opened = new AsyncDisposableStack()
  const servers = opened.use(await writeServers(['shop', 'farm']))
  const session = opened.use(
    await openScriptedSession({
      script: () => ({ text: 'ok' }),
      mcpServers: servers.list,
      ...options,
      agent: { mode: 'auto', sessionServers: { schemaShare: 0.001 }, ...agent },
    }),
  )
  const all = opened.move()
  return { ...session, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const sentNames = (request: ModelRequest | undefined) =>
  (request?.tools ?? []).filter(({ isDeferred }) => isDeferred !== true).map(({ name }) => name)

const last = ({ model }: Pick<ScriptedSession, 'model'>) => model.requests.at(-1)

const toldText = (request: ModelRequest | undefined) => request?.messages.map(textOf).join('\n') ?? ''

/** The results of the last step. Chat completions have a message for each. */
const resultsIn = ({ messages }: ModelRequest) =>
  messages
    .slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'tool_result' ? [part.text] : []))

const use = (tool: unknown, args?: unknown) => ({ name: 'use_tool', args: { tool, arguments: args } })

const callsOf = ({ editor, sessionId }: ScriptedSession) =>
  editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call'
        ? [{ title: update.title, name: update.name, input: update.rawInput }]
        : [],
    )

/** Makes these calls one step after another, whatever it reads. */
const scriptOf =
  (steps: readonly (readonly ScriptedToolCall[])[]): Script =>
  ({ messages }) => {
    const step = messages.filter(({ role }) => role === 'assistant').length
    const toolCalls = steps[step]
    return toolCalls === undefined ? { text: 'done' } : { toolCalls }
  }

/** The parts of a request that a vendor's cache compares, in its order. */
function prefixOf({ body }: ModelRequest): { readonly before: string; readonly messages: string } {
  const { tools, system, instructions, systemInstruction, messages, input, contents } = body as Record<
    string,
    unknown
  >
  const json = (value: unknown) =>
    JSON.stringify(value ?? null, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))
  return {
    before: json([tools, system ?? instructions ?? systemInstruction]),
    messages: json(messages ?? input ?? contents).slice(0, -1),
  }
}

function expectPrefixes(requests: readonly ModelRequest[]): void {
  for (const [index, request] of requests.slice(1).entries()) {
    const [before, after] = [requests[index], request].map((each) => each && prefixOf(each))
    expect(after?.before).toBe(before?.before)
    expect(after?.messages.startsWith(before?.messages ?? '?')).toBe(true)
  }
}

describe.each(formats)('schemas that wait, in the format %s', (vendor) => {
  const hasSearch = vendor === 'anthropic' || vendor === 'openai-responses'

  test('each tool is in the request by its name and first sentence, and its schema is not', async () => {
    await using session = await openWaiting({ vendor })
    await session.editor.prompt(session.sessionId, 'go')
    const [request] = session.model.requests
    const names = sentNames(request)
    expect(names.filter((name) => name.includes('__'))).toEqual([])
    expect(names.includes('use_tool')).toBe(!hasSearch)
    expect(names.includes('find_tools')).toBe(!hasSearch)
    const told = toldText(request)
    for (const server of ['shop', 'farm'])
      for (let index = 0; index < 30; index++)
        expect(told).toContain(`- ${server}__make_${index}: Makes number ${index} of the ${server}.`)
    if (hasSearch) expect(request?.tools.filter(({ isDeferred }) => isDeferred)).toHaveLength(60)
    else expect(JSON.stringify(request?.body)).not.toContain('How long it may take')
  })

  test('calls by name and through use_tool are the calls of the tool itself', async () => {
    await using session = await openWaiting({
      vendor,
      agent: { mode: 'always-ask' },
      script: scriptOf([
        [{ name: 'shop__make_1', args: { title: 'blind' } }],
        [use('farm__make_2', { title: 'used' })],
        [use('use_tool', { tool: 'shop__make_3', arguments: { title: 'nested' } })],
        [use('shop__make_4', '{"title":"written as text"}')],
      ]),
    })
    await session.editor.prompt(session.sessionId, 'go')
    expect(session.editor.text(session.sessionId)).toMatch(/done$/)
    const calls = callsOf(session)
    expect(calls.map(({ name }) => name)).toEqual([
      'shop__make_1',
      'farm__make_2',
      'shop__make_3',
      'shop__make_4',
    ])
    expect(calls.map(({ input }) => input)).toEqual(
      ['blind', 'used', 'nested', 'written as text'].map((title) => ({ title })),
    )
    expect(session.editor.permissionRequests()).toHaveLength(4)
    expect(JSON.stringify(session.editor.permissionRequests())).not.toContain('use_tool')
    expect(session.model.requests.slice(1).flatMap(resultsIn)).toEqual(
      [1, 2, 3, 4].map((n) => `make_${n} is done`),
    )
    expectPrefixes(session.model.requests)
  })

  test('wrong calls end clearly, and those with a known tool come back with its schema', async () => {
    const wrong: readonly (readonly [ScriptedToolCall, RegExp])[] = [
      [{ name: 'shop__make_1', args: {} }, /title.*The arguments of this tool: .*How long it may take/s],
      [use('shop__make_1', { title: 7, ms: 'long' }), /ms.*The arguments of this tool: /s],
      [use('shop__make_1'), /The arguments of this tool: /],
      [use('shop__make_1', ['list']), /must be a JSON object.*The arguments of this tool: /s],
      [use('shop__make_1', 'no JSON'), /not valid JSON/],
      [use('farm__milk', { title: 'of another server' }), /no tool named 'farm__milk'/],
      [{ name: 'shop__milk', args: {} }, /no tool named 'shop__milk'/],
      [use('use_tool', { tool: 'use_tool' }), /no tool named|do not match/],
      [use(7), /tool/],
      [use(''), /tool/],
      [use('find_tools', { query: 'make_7' }), /__make_7/],
      [use('find_tools', {}), /query/],
      [use('list_directory', { path: '.' }), /\w/],
    ]
    await using session = await openWaiting({ vendor, script: scriptOf([wrong.map(([call]) => call)]) })
    await session.editor.prompt(session.sessionId, 'go')
    const results = session.model.requests.slice(1).flatMap(resultsIn)
    expect(results).toHaveLength(wrong.length)
    for (const [index, [call, expected]] of wrong.entries())
      expect(results[index], JSON.stringify(call)).toMatch(expected)
    expect(session.editor.text(session.sessionId)).toMatch(/done$/)
    expectPrefixes(session.model.requests)
  })

  test('the longest schema can be read: when its tool is asked for alone, and after a wrong call', async () => {
    await using dir = await openTempDir()
    const list = join(dir.path, 'press.json')
    const last = { type: 'string', description: 'The very last words.' }
    const inputSchema = {
      type: 'object',
      properties: { text: { type: 'string', description: 'x'.repeat(60_000) }, last },
      required: ['last'],
    }
    const description = `Prints a book. ${'It is a long one. '.repeat(900)}`
    await writeFile(list, JSON.stringify([{ name: 'print', description, inputSchema }, ...toolsOf('press')]))
    const find = (query: string) => [{ name: 'find_tools', args: { query } }]
    await using session = await openScriptedSession({
      vendor,
      mcpServers: [{ name: 'press', command: process.execPath, args: [changingServer, list], env: [] }],
      agent: { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemas: 'deferred' } },
      script: scriptOf([
        [{ name: 'press__print', args: {} }],
        ...(hasSearch ? [] : [find('make number 3 of the press, or print'), find('press__print')]),
      ]),
    })
    await session.editor.prompt(session.sessionId, 'go')
    const [wrong, among, alone] = session.model.requests.slice(1).map((request) => resultsIn(request)[0])
    expect(wrong).toContain('The very last words.')
    if (hasSearch) return
    expect(among).toContain(
      '- press__print: Prints a book. [To read its arguments, search for its name alone.]',
    )
    expect(among).toContain('- press__make_')
    expect(alone).toContain('The very last words.')
    expectPrefixes(session.model.requests)
  })

  test('the prefix stays when schemas arrive, at the next prompts, and after the session is loaded', async () => {
    const found = ['shop__make_5', 'farm__make_6']
    const steps: Reply[] = hasSearch
      ? [
          {
            searches: [{ query: 'five', found }],
            toolCalls: [{ name: 'shop__make_5', args: { title: 'a' } }],
          },
        ]
      : [
          { toolCalls: [{ name: 'find_tools', args: { query: 'shop__make_5 farm__make_6' } }] },
          { toolCalls: [use('shop__make_5', { title: 'a' })] },
        ]
    const script: Script = ({ messages }) => {
      const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
      return steps[turn.filter(({ role }) => role === 'tool').length] ?? { text: 'done' }
    }
    await using lab = await openSessionLab(script, {
      vendor,
      agent: { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemaShare: 0.001 } },
    })
    await using servers = await writeServers(['shop', 'farm'])
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: servers.list })
    for (const prompt of ['one', 'two']) await editor.prompt(sessionId, prompt)
    await using other = await lab.open()
    await load(other, { sessionId, cwd: lab.path, mcpServers: servers.list })
    for (const prompt of ['three', 'Now shop:make_9']) await other.prompt(sessionId, prompt)
    const { requests } = lab.model
    expect(requests).toHaveLength(4 * (steps.length + 1))
    expectPrefixes(requests)
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('shop__make_9')
    const names = new Set(lab.history.sessions.offers.list(sessionId).flatMap(({ tools }) => tools))
    for (const own of ['find_tools', 'use_tool']) expect(names.has(own)).toBe(!hasSearch)
  })
})

const searching = ['anthropic', 'openai-responses'] as const

describe.each(searching)("the vendor's own search, in the format %s", (vendor) => {
  const isAsked = ({ tools }: ModelRequest) => tools.some(({ isDeferred }) => isDeferred)

  test('that a gateway rejects is left out from then on', async () => {
    await using session = await openWaiting({
      vendor,
      script: (request) => {
        if (isAsked(request))
          return { status: 400, errorMessage: 'tools.0.defer_loading: Extra inputs are not permitted' }
        return request.messages.at(-1)?.role === 'tool'
          ? { text: 'done' }
          : { toolCalls: [use('shop__make_1', { title: 'a' })] }
      },
    })
    for (const prompt of ['one', 'two']) await session.editor.prompt(session.sessionId, prompt)
    const [first, ...others] = session.model.requests
    expect(first && isAsked(first)).toBe(true)
    expect(others.map(isAsked)).toEqual([false, false, false, false])
    expect(sentNames(others[0])).toEqual(expect.arrayContaining(['find_tools', 'use_tool']))
    expectPrefixes(others)
    expect(session.editor.text(session.sessionId)).toMatch(/donedone$/)
  })

  test('that a gateway rejects is left out in one session only', async () => {
    await using session = await openWaiting({
      vendor,
      script: (request) =>
        isAsked(request) ? { status: 400, errorMessage: 'defer_loading' } : { text: 'ok' },
    })
    await using servers = await writeServers(['shop'])
    const { editor, cwd, model } = session
    const other = await editor.newSession({ cwd, mcpServers: servers.list })
    for (const sessionId of [session.sessionId, other.sessionId, session.sessionId, other.sessionId])
      await editor.prompt(sessionId, 'go')
    expect(model.requests.map(isAsked)).toEqual([true, false, true, false, false, false])
  })

  test('is tried again if the request was rejected without it as well', async () => {
    await using session = await openWaiting({
      vendor,
      script: (_, index) => (index < 2 ? { status: 400, errorMessage: 'out of order' } : { text: 'ok' }),
    })
    await session.editor.prompt(session.sessionId, 'one')
    expect(session.editor.text(session.sessionId)).toContain('out of order')
    await session.editor.prompt(session.sessionId, 'two')
    expect(session.model.requests.map(isAsked)).toEqual([true, false, true])
  })

  test('is not left out because of a wrong key, a busy vendor, or an answer that breaks off', async () => {
    await using session = await openWaiting({
      vendor,
      agent: { timing: { modelRetryMs: 1 } },
      script: (_, index) =>
        index === 0
          ? { status: 429, errorMessage: 'slow down' }
          : index === 1
            ? { text: 'half', streamError: 'gone' }
            : { text: 'ok' },
    })
    for (const prompt of ['one', 'two']) await session.editor.prompt(session.sessionId, prompt)
    expect(session.model.requests.map(isAsked)).toEqual([true, true, true])
  })

  test('keeps what it has found, and no reference to a tool that is gone', async () => {
    const found = ['shop__make_5', 'farm__make_6']
    await using session = await openWaiting({
      vendor,
      script: ({ messages }) =>
        messages.some(({ role }) => role === 'assistant')
          ? { text: 'done' }
          : {
              text: 'searching',
              searches: [{ query: 'five', found }],
              toolCalls: [{ name: 'shop__make_5', args: { title: 'a' }, namespace: 'shop' }],
            },
    })
    const { editor, sessionId, model } = session
    await editor.prompt(sessionId, 'one')
    const foundIn = (request: ModelRequest | undefined) =>
      request?.messages
        .flatMap(({ parts }) => parts)
        .flatMap((part) => (part.type === 'search' ? (part.found ?? []) : []))
    expect(foundIn(last(session))).toEqual(found)
    // The definitions name no namespace in this form.
    if (vendor === 'openai-responses')
      expect(JSON.stringify(last(session)?.body)).toContain('"namespace":"shop"')
    await editor.prompt(sessionId, '/mcp disable shop')
    await editor.prompt(sessionId, 'two')
    expect(foundIn(model.requests.at(-1))).toEqual(vendor === 'anthropic' ? ['farm__make_6'] : found)
    expect(toldText(last(session))).toContain("The tools of the server 'shop' cannot be called now.")
    await editor.prompt(sessionId, '/mcp disable farm')
    await editor.prompt(sessionId, 'three')
    expect(foundIn(last(session))).toEqual([])
  })
})

test('a small local model gets what it finds in its list', async () => {
  await using session = await openWaiting({
    vendor: 'ollama',
    agent: { sessionServers: { schemas: 'deferred' } },
    script: ({ messages }) =>
      messages.at(-1)?.role !== 'user'
        ? { text: 'done' }
        : { toolCalls: [{ name: 'find_tools', args: { query: 'shop__make_5' } }] },
  })
  await session.editor.prompt(session.sessionId, 'go')
  const [before, after] = session.model.requests.map(sentNames)
  expect(before).toContain('find_tools')
  expect(before).not.toContain('use_tool')
  expect(after).toEqual([...(before ?? []), 'shop__make_5'])
})

test('what a small local model finds later comes later in its list', async () => {
  const find = (tool: string) => [{ name: 'find_tools', args: { query: `shop__${tool}` } }]
  await using session = await openWaiting({
    vendor: 'ollama',
    agent: { sessionServers: { schemas: 'deferred' } },
    script: scriptOf([find('make_25'), find('make_3')]),
  })
  await session.editor.prompt(session.sessionId, 'go')
  const [first = [], second, third = []] = session.model.requests.map(sentNames)
  expect(second?.slice(0, first.length)).toEqual(first)
  expect(third.slice(0, second?.length)).toEqual(second)
  expect(third.filter((name) => name.includes('__'))).toEqual(
    expect.arrayContaining(['shop__make_25', 'shop__make_3']),
  )
})

test('a small local model gets what matches the prompt in its list once schemas wait', async () => {
  await using session = await openWaiting({ vendor: 'ollama' })
  await session.editor.prompt(session.sessionId, 'Make number 17 of the farm')
  const names = sentNames(session.model.requests[0])
  expect(names).toContain('farm__make_17')
  expect(names).toContain('find_tools')
})

test('that schemas wait is told once to the person, however many tools a small local model then reads', async () => {
  await using session = await openWaiting({
    vendor: 'ollama',
    script: ({ messages }) => {
      const prompts = messages.filter(({ role }) => role === 'user').length
      if (messages.at(-1)?.role !== 'user') return { text: 'done' }
      return { toolCalls: [{ name: `shop__make_${prompts}`, args: { title: 'x' } }] }
    },
  })
  for (const prompt of ['one', 'two', 'three']) await session.editor.prompt(session.sessionId, prompt)
  const offered = session.model.requests.map(({ tools }) => tools.length)
  expect(offered.at(-1)).toBeGreaterThan(offered[0] ?? 0)
  expect(session.editor.text(session.sessionId).match(/The schemas of \d+ tools wait/g)).toHaveLength(1)
})

test('tools are not said to be gone after a change to a model with room for all', async () => {
  await using session = await openWaiting({
    vendor: 'google',
    agent: { providers: { google: { type: 'google', models: { large: { contextSize: 100_000_000 } } } } },
  })
  for (const prompt of ['one', '/model google/large', 'two'])
    await session.editor.prompt(session.sessionId, prompt)
  expect(sentNames(session.model.requests[0])).not.toContain('shop__make_0')
  expect(sentNames(last(session))).toContain('shop__make_0')
  expect(toldText(last(session))).not.toContain('cannot be called')
})

test('tools are not said to be gone once a small local model has found all of them', async () => {
  await using dir = await openTempDir()
  const list = join(dir.path, 'one.json')
  await writeFile(list, JSON.stringify(toolsOf('one').slice(0, 1)))
  await using session = await openScriptedSession({
    vendor: 'ollama',
    mcpServers: [{ name: 'one', command: process.execPath, args: [changingServer, list], env: [] }],
    agent: { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemas: 'deferred' } },
    script: scriptOf([[{ name: 'find_tools', args: { query: 'one__make_0' } }]]),
  })
  await session.editor.prompt(session.sessionId, 'go')
  expect(session.model.requests.map((request) => sentNames(request).includes('one__make_0'))).toEqual([
    false,
    true,
  ])
  expect(toldText(last(session))).not.toContain('cannot be called')
})

test('a tool that was sent is sent again when its server comes back', async () => {
  await using session = await openWaiting({ vendor: 'google' })
  const { editor, sessionId, model } = session
  for (const prompt of ['shop:make_3', '/mcp disable shop', 'two', '/mcp enable shop', 'three'])
    await editor.prompt(sessionId, prompt)
  const [first, second, third] = model.requests
  expect(sentNames(first)).toContain('shop__make_3')
  expect(sentNames(second)).not.toContain('shop__make_3')
  expect(third?.tools).toEqual(first?.tools)
})

test('after a summary, what was sent before the share was exceeded waits as well', async () => {
  await using session = await openWaiting({
    vendor: 'google',
    agent: {
      sessionServers: { schemaShare: 0.25 },
      providers: { google: { type: 'google', contextSize: 40_000 } },
    },
    script: ({ messages, body }) => ({
      text: `answer ${messages.length} `.repeat(2_000),
      usage: { inputTokens: Math.ceil(JSON.stringify(body).length / 4), outputTokens: 5_000 },
    }),
  })
  const { editor, sessionId, model } = session
  await editor.prompt(sessionId, '/mcp disable farm')
  await editor.prompt(sessionId, 'one')
  await editor.prompt(sessionId, '/mcp enable farm')
  for (const prompt of ['two', 'three', '/compact', 'four']) await editor.prompt(sessionId, prompt)
  const countIn = (request: ModelRequest | undefined) =>
    sentNames(request).filter((name) => name.includes('__')).length
  const [first, second] = model.requests
  expect([countIn(first), countIn(second), countIn(last(session))]).toEqual([30, 30, 0])
  expect(toldText(last(session))).not.toContain('answer 1 ')
})

test('after /clear, what was sent before the share was exceeded waits as well', async () => {
  await using session = await openWaiting({
    vendor: 'google',
    agent: {
      sessionServers: { schemaShare: 0.25 },
      providers: { google: { type: 'google', contextSize: 40_000 } },
    },
    script: ({ body }) => ({
      text: 'ok',
      usage: { inputTokens: Math.ceil(JSON.stringify(body).length / 4), outputTokens: 1 },
    }),
  })
  for (const prompt of ['/mcp disable farm', 'one', '/clear', '/mcp enable farm', 'two'])
    await session.editor.prompt(session.sessionId, prompt)
  const countIn = (request: ModelRequest | undefined) =>
    sentNames(request).filter((name) => name.includes('__')).length
  expect(session.model.requests.map(countIn)).toEqual([30, 0])
})

test('a tool that the person names is sent in full at first, and told with its schema later', async () => {
  await using session = await openWaiting({ vendor: 'google' })
  const { editor, sessionId, model } = session
  await editor.prompt(sessionId, 'Call shop:make_3 now')
  await editor.prompt(sessionId, 'And farm__make_4')
  const [first, second] = model.requests
  expect(sentNames(first).filter((name) => name.includes('__'))).toEqual(['shop__make_3'])
  expect(second?.tools).toEqual(first?.tools)
  const [, note = ''] = toldText(second).split('These tools match the prompt:')
  expect(note).toMatch(/^\n- farm__make_4: Makes number 4 .*\n  Arguments: .*How long it may take/s)
  await editor.prompt(sessionId, 'farm__make_4 again')
  expect(toldText(last(session)).split('These tools match the prompt:')).toHaveLength(2)
})

test('the agent file chooses for all session servers, and for single ones', async () => {
  const chosen = async (schemas: NonNullable<AgentConfig['sessionServers']>['schemas']) => {
    await using session = await openWaiting({ vendor: 'openai', agent: { sessionServers: { schemas } } })
    await session.editor.prompt(session.sessionId, 'go')
    const names = sentNames(last(session))
    return ['shop', 'farm'].map((server) => names.filter((name) => name.startsWith(`${server}__`)).length)
  }
  expect(await chosen('full')).toEqual([30, 30])
  expect(await chosen('deferred')).toEqual([0, 0])
  expect(await chosen({ shop: 'full', '*': 'deferred' })).toEqual([30, 0])
  expect(await chosen({ shop: 'deferred' })).toEqual([0, 30])
})

test('a task that is delegated knows the tools as well', async () => {
  await using session = await openWaiting({
    vendor: 'openai',
    script: ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'done' }
      const isTask = messages.map(textOf).join('').includes('Make five')
      return {
        toolCalls: [
          isTask ? use('shop__make_5', { title: 'a' }) : { name: 'delegate', args: { task: 'Make five' } },
        ],
      }
    },
  })
  await session.editor.prompt(session.sessionId, 'go')
  const task = session.model.requests.filter((request) => toldText(request).includes('Make five'))
  expect(task).toHaveLength(2)
  expect(toldText(task[0])).toContain('- shop__make_5: Makes number 5 of the shop.')
  expectPrefixes(task)
  expect(task.slice(1).flatMap(resultsIn)).toEqual(['make_5 is done'])
})

test('a server that comes later is told in a message, and the list stays as it is', async () => {
  await using lab = await openSessionLab(() => ({ text: 'ok' }), {
    vendor: 'google',
    agent: { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemaShare: 0.001 } },
  })
  await using servers = await writeServers(['shop', 'farm'])
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: servers.list })
  await editor.prompt(sessionId, '/mcp disable farm')
  await editor.prompt(sessionId, 'one')
  expect(toldText(lab.model.requests.at(-1))).not.toContain('farm__')
  await editor.prompt(sessionId, '/mcp enable farm')
  await editor.prompt(sessionId, 'two')
  expect(toldText(lab.model.requests.at(-1)).match(/- (shop|farm)__make_7/g)).toEqual([
    '- shop__make_7',
    '- farm__make_7',
  ])
  expectPrefixes(lab.model.requests)
})

test('a tool that leaves while its server stays is told as gone, and again when it comes back', async () => {
  await using servers = await writeServers(['shop'])
  const file = join(servers.path, 'shop.json')
  await using session = await openScriptedSession({
    vendor: 'google',
    mcpServers: servers.list,
    agent: { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemas: 'deferred' } },
    script: () => ({ text: 'ok' }),
  })
  const { editor, sessionId } = session
  const offer = async (tools: readonly object[]) => {
    await writeFile(file, JSON.stringify(tools))
    await expect
      .poll(async () => {
        const before = editor.text(sessionId).length
        await editor.prompt(sessionId, '/mcp')
        return editor.text(sessionId).slice(before)
      })
      .toContain(`connected, ${tools.length} tools`)
    await editor.prompt(sessionId, 'go')
    return toldText(last(session)).split('ok').at(-1)
  }
  await editor.prompt(sessionId, 'go')
  const all = toolsOf('shop')
  expect(await offer(all.slice(2))).toContain('These tools cannot be called now: shop__make_0, shop__make_1.')
  const back = await offer(all.slice(1))
  expect(back).toContain('- shop__make_1: ')
  expect(back).not.toMatch(/cannot be called|make_2:/)
})

test('after a summary, the tools are told again', async () => {
  await using session = await openWaiting({
    vendor: 'google',
    agent: { providers: { google: { type: 'google', contextSize: 20_000 } } },
    script: ({ messages }) => ({ text: `answer ${messages.length} `.repeat(1_000) }),
  })
  const { editor, sessionId } = session
  for (const prompt of ['one', 'two', 'three', '/compact', 'four']) await editor.prompt(sessionId, prompt)
  expect(toldText(last(session)).match(/- shop__make_7:/g)).toHaveLength(1)
  expect(toldText(last(session))).not.toContain('answer 1 ')
})

test('after a summary in the middle of the work, each request tells the tools once', async () => {
  await using session = await openWaiting({
    vendor: 'google',
    agent: { providers: { google: { type: 'google', contextSize: 20_000 } } },
    script: ({ messages, body }) => ({
      text: `answer ${messages.length} `.repeat(1_000),
      usage: { inputTokens: Math.ceil(JSON.stringify(body).length / 4), outputTokens: 2_500 },
    }),
  })
  for (let prompt = 0; prompt < 12; prompt++)
    await session.editor.prompt(session.sessionId, `Prompt ${prompt}`)
  const told = session.model.requests.map(toldText)
  expect(told.at(-1)).toContain('was replaced by this summary')
  expect(told.map((text) => text.match(/- shop__make_7:/g)?.length)).toEqual(told.map(() => 1))
})

test('a password in the arguments is redacted in what is stored and shown, however it is written', async () => {
  const password = 'correct-horse-battery'
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const list = join(dir.path, 'vault.json')
  const inputSchema = { type: 'object', properties: { pass: { type: 'string', format: 'password' } } }
  await writeFile(list, JSON.stringify([{ name: 'open', description: 'Opens it.', inputSchema }]))
  const mcpServers = [{ name: 'vault', command: process.execPath, args: [changingServer, list], env: [] }]
  const script = scriptOf([
    [use('vault__open', { pass: password })],
    [use('vault__open', JSON.stringify({ pass: password }))],
  ])
  const agent = { mode: 'auto', connectWaitMs: 60_000, sessionServers: { schemas: 'deferred' } } as const
  const lab = opened.use(await openSessionLab(script, { vendor: 'google', agent }))
  const peer = opened.use(await lab.open())
  const { sessionId } = await peer.newSession({ cwd: lab.path, mcpServers })
  await peer.prompt(sessionId, 'go')
  expect(JSON.stringify(peer.updates(sessionId))).not.toContain(password)
  const other = opened.use(await lab.open())
  await load(other, { sessionId, cwd: lab.path, mcpServers })
  await other.prompt(sessionId, 'again')
  expect(JSON.stringify(lab.model.requests[2]?.body)).toContain(password)
  expect(JSON.stringify(lab.model.requests.at(-1)?.body)).not.toContain(password)
})
