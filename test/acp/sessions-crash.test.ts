import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { neverAnswer, type AcpProcess } from '../support/acp-harness.ts'
import { conversation, load, openSessionLab, resume, seen, type SessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { textOf, type ModelMessage } from '../support/loopback-model/script.ts'
import { faultyServer } from '../support/mcp-clients.ts'
import { until } from '../support/processes.ts'

const vendors = ['anthropic', 'openai', 'openai-responses'] as const

/** A server whose only tool never returns, and one that answers. */
const servers = [
  { name: 'stuck', ...pick(faultyServer('hang-call')) },
  { name: 'fine', ...pick(faultyServer('none')) },
]

function pick({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  return { command, args, env: [] }
}

const scripts: Readonly<Record<string, Reply>> = {
  'say something long': { thoughts: 'hm', text: ['I was ', 'about to ', 'say'], hang: 'after_text' },
  'call both': {
    text: ['I will'],
    toolCalls: [
      { name: 'fine__echo', args: { message: 'one' }, id: 'first' },
      { name: 'stuck__echo', args: { message: 'two' }, id: 'second' },
    ],
  },
  'call one': { toolCalls: [{ name: 'fine__echo', args: { message: 'one' } }] },
  'say nothing': { hang: 'before_headers' },
}

function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  return last?.role === 'tool' ? { text: ['done'] } : (scripts[textOf(last)] ?? { text: ['hello'] })
}

async function kill(editor: AcpProcess): Promise<void> {
  process.kill(editor.pid, 'SIGKILL')
  await editor.exit
}

/** Checks what vendors require: the user begins, roles alternate, and every call is followed by exactly one result. */
function problemsOf(messages: readonly ModelMessage[]): string[] {
  const problems: string[] = []
  if (messages[0]?.role !== 'user') problems.push(`begins with ${messages[0]?.role}`)
  let open: string[] = []
  for (const [index, { role, parts }] of messages.entries()) {
    const before = messages[index - 1]?.role
    const results = parts.flatMap((part) => (part.type === 'tool_result' ? [part.id] : []))
    if (role === before && role !== 'tool') problems.push(`two of ${role} at ${index}`)
    for (const id of results) {
      if (!open.includes(id)) problems.push(`a result without a call at ${index}`)
      open = open.filter((call) => call !== id)
    }
    if (open.length > 0 && role !== 'tool') problems.push(`calls without a result before ${index}`)
    open.push(...parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])))
    if (parts.length === 0) problems.push(`nothing at ${index}`)
  }
  return open.length > 0 ? [...problems, 'calls without a result at the end'] : problems
}

/** A new server shows the session as it was when the old process was killed, and the model accepts the next prompt. */
async function goOn(lab: SessionLab, old: AcpProcess, sessionId: string): Promise<{ updates: SessionUpdate[]; request: ModelRequest }> {
  await using editor = await lab.open()
  const { updates } = await load(editor, { sessionId, cwd: lab.path })
  const shown = conversation(updates)
  // Everything shown before is at the beginning.
  const before = seen(old, sessionId)
  const ends = shown.slice(before.length)
  expect(startsWith(shown, before)).toBe(true)
  expect(await editor.prompt(sessionId, 'go on')).toEqual({ stopReason: 'end_turn' })
  const request = lab.model.requests.at(-1)
  if (request === undefined) throw new Error('the model was not asked')
  expect(problemsOf(request.messages)).toEqual([])
  expect(textOf(request.messages.at(-1))).toContain('go on')
  // Loading again repairs the session in the same way.
  const again = await load(editor, { sessionId, cwd: lab.path })
  expect(conversation(again.updates).slice(0, shown.length)).toEqual(shown)
  return { updates: ends, request }
}

/** The last text may be longer than what the killed process had sent. */
function startsWith(shown: readonly SessionUpdate[], before: readonly SessionUpdate[]): boolean {
  expect(shown.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  const [last, same] = [before.at(-1), shown[before.length - 1]].map((update) => JSON.stringify(update).replace(/"\}\}$/, ''))
  return (same ?? '').startsWith(last ?? '-')
}

for (const vendor of vendors) {
  test(`killed in the middle of an answer (${vendor})`, async () => {
    await using lab = await openSessionLab(script, { vendor })
    await using editor = await lab.start()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'hello')
    void editor.prompt(sessionId, 'say something long').catch(() => undefined)
    await editor.waitForUpdate(sessionId, 'agent_message_chunk', ({ content }) => content.type === 'text' && content.text.endsWith('say'))
    await kill(editor)
    const { request } = await goOn(lab, editor, sessionId)
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(textOf(request.messages[3])).toBe('I was about to say')
  })

  test(`killed while tools run (${vendor})`, async () => {
    await using lab = await openSessionLab(script, { vendor })
    await using editor = await lab.start()
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: servers })
    void editor.prompt(sessionId, 'call both').catch(() => undefined)
    await editor.waitForUpdate(sessionId, 'tool_call_update', ({ status }) => status === 'completed')
    await until('both to have begun', () => progressOf(editor, sessionId).filter((status) => status === 'in_progress').length === 2)
    await kill(editor)
    const { updates, request } = await goOn(lab, editor, sessionId)
    expect(updates).toEqual([
      expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed', rawOutput: expect.stringContaining('may have run') }),
    ])
    const calls = lab.history.listCalls({ sessionId, limit: 10 }).map(({ server, status }) => `${server}: ${status}`)
    // Calls of one step begin in any order.
    expect(calls.toSorted()).toEqual(['fine: success', 'stuck: interrupted'])
    const results = request.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])))
    expect(results).toEqual([expect.stringContaining('one'), expect.stringContaining('may have run')])
  })

  test(`killed while the person is asked (${vendor})`, async () => {
    await using lab = await openSessionLab(script, { vendor })
    await using editor = await lab.start({ onPermission: () => neverAnswer })
    const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: servers })
    void editor.prompt(sessionId, 'call one').catch(() => undefined)
    await editor.waitFor(({ method }) => method === 'session/request_permission')
    await kill(editor)
    const { updates, request } = await goOn(lab, editor, sessionId)
    expect(updates).toEqual([
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'failed',
        rawOutput: expect.stringContaining('Nothing was run'),
      }),
    ])
    expect(lab.history.listCalls({ sessionId, limit: 10 })).toMatchObject([{ status: 'interrupted', decision: null }])
    const results = request.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])))
    expect(results).toEqual([expect.stringContaining('Nothing was run')])
  })
}

test('killed before the model answered: the prompt is not forgotten', async () => {
  await using lab = await openSessionLab(script)
  await using editor = await lab.start()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  void editor.prompt(sessionId, 'say nothing').catch(() => undefined)
  await lab.model.waitForRequests(1)
  await kill(editor)
  const { request } = await goOn(lab, editor, sessionId)
  expect(textOf(request.messages[0])).toBe('say nothing')
  // The next prompt is a message of its own.
  expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test('killed while a prompt waited for servers: the prompt is not forgotten', async () => {
  await using lab = await openSessionLab(script)
  await using editor = await lab.start()
  const hangs = { name: 'hangs', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: [] }
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [hangs] })
  void editor.prompt(sessionId, 'are you there?').catch(() => undefined)
  await editor.waitForUpdate(sessionId, 'session_info_update')
  await kill(editor)
  expect(lab.model.requests).toHaveLength(0)
  const { request } = await goOn(lab, editor, sessionId)
  expect(textOf(request.messages[0])).toContain('are you there?')
})

test('killed after Ostler itself had answered a command: the model is not told about it', async () => {
  await using lab = await openSessionLab(script)
  await using editor = await lab.start()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, '/mcp')
  await kill(editor)
  // As if the process had been killed before the end of the turn was written.
  await lab.history.journal.change((statements) => statements.run(`DELETE FROM messages WHERE body LIKE '%turn_end%'`))
  await using other = await lab.open()
  await load(other, { sessionId, cwd: lab.path })
  await other.prompt(sessionId, 'hello')
  expect(lab.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user'])
})

test('killed right after session/new was answered: the session exists', async () => {
  await using lab = await openSessionLab(script)
  await using editor = await lab.start()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await kill(editor)
  await using other = await lab.open()
  expect(await other.request('session/list', {})).toMatchObject({ sessions: [{ sessionId, cwd: lab.path }] })
  await resume(other, { sessionId, cwd: lab.path })
  expect(await other.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
})

function progressOf(editor: AcpProcess, sessionId: string): string[] {
  return editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : []))
}
