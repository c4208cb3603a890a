import { once } from 'node:events'
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { openSdkEditor, type SdkEditor, type SdkEditorOptions } from '../support/sdk-editor.ts'
import { lastResult } from '../support/last-result.ts'

/** The model calls the tool that a prompt names, with the rest of the prompt, and then answers. */
async function openLab(file: (lab: AgentLab) => object = () => ({})): Promise<AgentLab> {
  const lab = await openAgentLab(({ messages }) => {
    const part = messages.at(-1)?.parts.at(-1)
    const [, name, text = ''] = /^call (\S+)(?: (.*))?$/.exec(part?.type === 'text' ? part.text : '') ?? []
    return name === undefined ? { text: 'ok' } : { toolCalls: [{ name, args: text === '' ? {} : { text } }] }
  })
  await lab.writeAgentFile(file(lab))
  return lab
}

interface NotesOptions {
  readonly tools?: readonly string[]
  readonly onWait?: (signal: AbortSignal) => Promise<void>
}

/** A server of an editor: `say` repeats a text with progress, `wait` does not end, `ask` asks the person. */
function notes({ tools = [], onWait }: NotesOptions = {}): () => McpServer {
  return () => {
    const server = new McpServer(
      { name: 'notes', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    )
    server.registerTool(
      'say',
      { description: 'Repeats', inputSchema: z.object({ text: z.string() }) },
      async ({ text }, { mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: 1, total: 2, message: 'half of it' },
          })
        return { content: [{ type: 'text', text: `said ${text}` }] }
      },
    )
    server.registerTool('wait', { description: 'Waits' }, async ({ mcpReq }) => {
      await onWait?.(mcpReq.signal)
      return { content: [{ type: 'text', text: 'waited' }] }
    })
    for (const name of tools)
      server.registerTool(name, { description: 'Another' }, async () => ({ content: [] }))
    return server
  }
}

/** A server that asks for a name with its answer, and is called again with it. */
function asking(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' })
  server.registerTool('ask', { description: 'Asks' }, ({ mcpReq }) => {
    const answer = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'name')
    if (answer !== undefined) return { content: [{ type: 'text', text: answer.name }] }
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
    })
  })
  return server
}

/** An editor that writes its messages by hand. Its server's only tool answers with `answer`. */
function answerRaw(params: unknown, answer: unknown): unknown {
  const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const supportedVersions = ['2026-07-28']
  const tools = [{ name: 'say', inputSchema: { type: 'object' } }]
  switch ((params as { method: string }).method) {
    case 'server/discover':
      return {
        result: {
          ...common,
          supportedVersions,
          capabilities: { tools: {} },
          serverInfo: { name: 'raw', version: '1' },
        },
      }
    case 'tools/list':
      return { result: { ...common, tools } }
    default:
      return answer
  }
}

/** A tool that runs until it is cancelled. */
function openWait() {
  const waiting = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const onWait = async (signal: AbortSignal) => {
    waiting.resolve()
    if (!signal.aborted) await once(signal, 'abort')
    cancelled.resolve()
  }
  return { waiting: waiting.promise, cancelled: cancelled.promise, onWait }
}

async function inEditor<T>(
  lab: AgentLab,
  options: SdkEditorOptions,
  use: (editor: SdkEditor) => Promise<T>,
): Promise<T> {
  await using editor = await openSdkEditor(lab, options)
  return await use(editor)
}

const resultOf = ({ model }: AgentLab) => lastResult(model.requests.at(-1))

const offered = ({ model }: AgentLab) => model.requests.at(-1)?.tools.map(({ name }) => name)

test('a tool of the editor is offered, approved and called', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab)
  expect(editor.capabilities).toEqual({ http: true, sse: true, acp: true })
  const { registration } = editor.provide('notes', notes())
  const session = await editor.open(lab.path, [registration.declaration])
  expect(await editor.prompt(session, 'call notes__say hello')).toBe('ok')
  expect(resultOf(lab)).toBe('said hello')
  expect(JSON.stringify(editor.permissions)).toContain(`acp:${registration.serverId}`)
  expect(JSON.stringify(editor.updates(session))).toContain('half of it')
  expect(await editor.prompt(session, '/mcp')).toContain('**notes**: connected')
})

test('without the flag, such a server is rejected with the reason', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab, { mcpOverAcp: false })
  expect(editor.capabilities).toEqual({ http: true, sse: true })
  const { registration } = editor.provide('notes', notes())
  const session = await editor.open(lab.path, [registration.declaration])
  expect(await editor.prompt(session, '/mcp')).toContain('start Ostler with --experimental-mcp-over-acp')
})

test('tools that the server adds are offered in every session that has it', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab)
  const tools: string[] = []
  const { adapter, registration } = editor.provide('notes', () => notes({ tools })())
  const servers = [registration.declaration]
  const sessions = [await editor.open(lab.path, servers), await editor.open(lab.path, servers)]
  for (const session of sessions) {
    await editor.prompt(session, 'hello')
    expect(offered(lab)).not.toContain('notes__more')
  }
  tools.push('more')
  adapter.notify.toolsChanged()
  for (const session of sessions)
    await expect
      .poll(async () => (await editor.prompt(session, 'hello'), offered(lab)), { timeout: 20_000 })
      .toContain('notes__more')
})

test('cancelling a prompt cancels its call in the server', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab)
  const { waiting, cancelled, onWait } = openWait()
  const { registration } = editor.provide('notes', notes({ onWait }))
  const session = await editor.open(lab.path, [registration.declaration])
  const prompt = editor.prompt(session, 'call notes__wait')
  await waiting
  await editor.connection.agent.notify('session/cancel', { sessionId: session })
  await cancelled
  await prompt
  expect(editor.updates(session)).toContainEqual(
    expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }),
  )
})

test('closing a session ends its calls, and no other session', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab)
  const { waiting, cancelled, onWait } = openWait()
  const { registration } = editor.provide('notes', notes({ onWait }))
  const [session, other] = [
    await editor.open(lab.path, [registration.declaration]),
    await editor.open(lab.path, [registration.declaration]),
  ]
  const prompt = editor.prompt(session, 'call notes__wait')
  await waiting
  await editor.connection.agent.request('session/close', { sessionId: session })
  await cancelled
  await prompt
  expect(await editor.prompt(other, 'call notes__say hello')).toBe('ok')
  expect(resultOf(lab)).toBe('said hello')
})

test('a server that the editor withdraws is reported, and its tools fail', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab)
  const { registration } = editor.provide('notes', notes())
  const session = await editor.open(lab.path, [registration.declaration])
  await editor.prompt(session, 'call notes__say hello')
  // Not awaited: it settles when the SDK has noticed the end of its own open requests, which may never happen.
  void registration.dispose()
  await editor.prompt(session, 'call notes__say again')
  expect(resultOf(lab)).toContain('the editor does not provide this server any more')
  expect(await editor.prompt(session, '/mcp')).toContain('the editor does not provide this server any more')
})

test.each<[string, { serverId: string; editor?: string }, number]>([
  ['the same server of the same editor', { serverId: 'notes-1' }, 0],
  ['another server with its name', { serverId: 'notes-2' }, 1],
  ['the same id in another editor', { serverId: 'notes-1', editor: 'another' }, 1],
])('"always" holds for a server of an editor: %s', async (_, { serverId, editor = 'editor' }, asked) => {
  await using lab = await openLab()
  const callIn = (name: string, id: string) =>
    inEditor(lab, { name, choose: 'allow-always' }, async (own) => {
      const { registration } = own.provide('notes', notes(), id)
      await own.prompt(await own.open(lab.path, [registration.declaration]), 'call notes__say hello')
      return own.permissions.length
    })
  expect(await callIn('editor', 'notes-1')).toBe(1)
  expect(await callIn(editor, serverId)).toBe(asked)
  expect(resultOf(lab)).toBe('said hello')
})

test('a question of the server reaches the person', async () => {
  await using lab = await openLab()
  await using editor = await openSdkEditor(lab, {
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })
  const { registration } = editor.provide('notes', asking)
  const session = await editor.open(lab.path, [registration.declaration])
  await editor.prompt(session, 'call notes__ask')
  expect(resultOf(lab)).toBe('Ada')
  // The SDK reports its rounds of questions as progress, in its own words.
  expect(JSON.stringify(editor.updates(session))).not.toContain('Fulfilling')
})

test('an editor that knows no such method is an error, and nothing hangs', async () => {
  await using lab = await openLab()
  await using editor = await lab.start({ args: ['--experimental-mcp-over-acp'] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'acp', name: 'notes', serverId: 'x' }],
  })
  await editor.prompt(sessionId, 'hello')
  await editor.prompt(sessionId, '/mcp')
  expect(editor.text(sessionId)).toContain('the editor provides no servers')
})

test.each<[string, unknown, string]>([
  ['nothing', null, 'invalid result'],
  ['a list', [], 'invalid result'],
  ['a result that is a text', { result: 'x' }, 'invalid result'],
  ['an error without a code', { error: { message: 'broken' } }, 'invalid result'],
  ['an error of the server', { error: { code: -32_000, message: 'the disk is full' } }, 'the disk is full'],
  [
    'an error that looks like one of Ostler',
    { error: { code: -32_603, message: 'no', data: { code: 'mcp.unreachable' } } },
    'no',
  ],
])('an answer that is %s fails the call only', async (_, answer, expected) => {
  await using lab = await openLab()
  await using editor = await lab.open({
    mcpOverAcp: true,
    handlers: { 'mcp/message': (params) => answerRaw(params, answer) },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'acp', name: 'notes', serverId: 'x' }],
  })
  editor.notify('mcp/message', {
    serverId: 'x',
    requestId: 'of no request',
    method: 'notifications/progress',
  })
  editor.notify('mcp/message', 'not even an object')
  expect(await editor.prompt(sessionId, 'call notes__say hello')).toEqual({ stopReason: 'end_turn' })
  expect(resultOf(lab)).toContain(expected)
  await editor.prompt(sessionId, '/mcp')
  expect(editor.text(sessionId)).toContain('**notes**: connected')
})
