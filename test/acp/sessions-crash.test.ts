import type { ContentBlock, RequestPermissionRequest, SessionUpdate } from '@agentclientprotocol/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  neverAnswer,
  selectPermission,
  type AcpInProcess,
  type AcpProcess,
  type WireMessage,
} from '../support/acp-harness.ts'
import {
  conversation,
  listAll,
  load,
  openSessionLab,
  resume,
  seen,
  type SessionLab,
} from '../support/acp-sessions.ts'
import type { LoopbackVendor, ModelRequest, Reply } from '../support/loopback-model/index.ts'
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
  'call one': { toolCalls: [{ name: 'fine__echo', args: { message: 'unanswered' } }] },
  'say nothing': { hang: 'before_headers' },
}

function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)
  return last?.role === 'tool' ? { text: ['done'] } : (scripts[textOf(last)] ?? { text: ['hello'] })
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

/** A new process shows the session as it was when the old process was killed, and the model accepts the next prompt. */
async function goOn<Doing extends string>(
  { lab, old, next: editor, sessions }: Crashed<Doing>,
  doing: Doing,
): Promise<{ updates: SessionUpdate[]; request: ModelRequest }> {
  const sessionId = sessions[doing]
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
  const [last, same] = [before.at(-1), shown[before.length - 1]].map((update) =>
    JSON.stringify(update).replace(/"\}\}$/, ''),
  )
  return (same ?? '').startsWith(last ?? '-')
}

/** The sessions of one process that was killed, by what each was doing, and an editor that continues them. */
interface Crashed<Doing extends string> extends AsyncDisposable {
  readonly lab: SessionLab
  readonly old: AcpProcess
  readonly sessions: Readonly<Record<Doing, string>>
  readonly next: AcpInProcess
}

/** Opens the sessions in one process and kills it. Each opener returns the id of a session, once it does what its name says. */
async function crash<Doing extends string>(
  vendor: LoopbackVendor,
  openers: Readonly<Record<Doing, (editor: AcpProcess, lab: SessionLab) => Promise<string>>>,
): Promise<Crashed<Doing>> {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openSessionLab(script, { vendor }))
  const old = opened.use(
    await lab.start({
      onPermission: (request) =>
        isLeftOpen(request) ? neverAnswer : selectPermission('allow_once')(request),
    }),
  )
  const ids: [string, string][] = []
  for (const doing of Object.keys(openers) as Doing[]) ids.push([doing, await openers[doing](old, lab)])
  process.kill(old.pid, 'SIGKILL')
  await old.exit
  const next = opened.use(await lab.open())
  const all = opened.move()
  return {
    lab,
    old,
    next,
    sessions: Object.fromEntries(ids) as Record<Doing, string>,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** The person never answers what the model asks for here. */
const isLeftOpen = ({ toolCall }: RequestPermissionRequest) =>
  JSON.stringify(toolCall.rawInput).includes('unanswered')

async function open(
  editor: AcpProcess,
  { path }: SessionLab,
  mcpServers: readonly object[] = [],
): Promise<string> {
  return (await editor.newSession({ cwd: path, mcpServers })).sessionId
}

describe.each(vendors)('killed, with a model of the format %s,', (vendor) => {
  let crashed: Crashed<'answering' | 'calling' | 'asking'>
  beforeAll(async () => {
    crashed = await crash(vendor, {
      async answering(editor, lab) {
        const sessionId = await open(editor, lab)
        await editor.prompt(sessionId, 'hello')
        void editor.prompt(sessionId, 'say something long').catch(() => undefined)
        const isLast = ({ content }: { content: ContentBlock }) =>
          content.type === 'text' && content.text.endsWith('say')
        await editor.waitForUpdate(sessionId, 'agent_message_chunk', isLast)
        return sessionId
      },
      async calling(editor, lab) {
        const sessionId = await open(editor, lab, servers)
        void editor.prompt(sessionId, 'call both').catch(() => undefined)
        await editor.waitForUpdate(sessionId, 'tool_call_update', ({ status }) => status === 'completed')
        await until(
          'both to have begun',
          () => progressOf(editor, sessionId).filter((status) => status === 'in_progress').length === 2,
        )
        return sessionId
      },
      async asking(editor, lab) {
        const sessionId = await open(editor, lab, servers.slice(1))
        void editor.prompt(sessionId, 'call one').catch(() => undefined)
        const isOfThis = ({ method, params }: WireMessage) =>
          method === 'session/request_permission' &&
          (params as RequestPermissionRequest).sessionId === sessionId
        await editor.waitFor(isOfThis)
        return sessionId
      },
    })
  })
  afterAll(() => crashed[Symbol.asyncDispose]())

  test('in the middle of an answer', async () => {
    const { request } = await goOn(crashed, 'answering')
    expect(request.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(textOf(request.messages[3])).toBe('I was about to say')
  })

  test('while tools run', async () => {
    const { updates, request } = await goOn(crashed, 'calling')
    expect(updates).toEqual([
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'failed',
        rawOutput: expect.stringContaining('may have run'),
      }),
    ])
    // Calls of one step begin in any order.
    expect(
      callsOf(crashed, 'calling')
        .map(({ server, status }) => `${server}: ${status}`)
        .toSorted(),
    ).toEqual(['fine: success', 'stuck: interrupted'])
    expect(resultsIn(request)).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('may have run'),
    ])
  })

  test('while the person is asked', async () => {
    const { updates, request } = await goOn(crashed, 'asking')
    expect(updates).toEqual([
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'failed',
        rawOutput: expect.stringContaining('Nothing was run'),
      }),
    ])
    expect(callsOf(crashed, 'asking')).toMatchObject([
      {
        status: 'interrupted',
        decision: null,
        error: 'Ostler ended before this call started. Nothing was run.',
      },
    ])
    expect(resultsIn(request)).toEqual([expect.stringContaining('Nothing was run')])
  })
})

describe('killed', () => {
  let crashed: Crashed<'asking the model' | 'waiting' | 'commanded' | 'opened'>
  beforeAll(async () => {
    crashed = await crash('anthropic', {
      async 'asking the model'(editor, lab) {
        const sessionId = await open(editor, lab)
        void editor.prompt(sessionId, 'say nothing').catch(() => undefined)
        await lab.model.waitForRequests(1)
        return sessionId
      },
      async waiting(editor, lab) {
        const sessionId = await open(editor, lab, [
          { name: 'hangs', command: 'sleep', args: ['300'], env: [] },
        ])
        void editor.prompt(sessionId, 'are you there?').catch(() => undefined)
        await editor.waitForUpdate(sessionId, 'session_info_update')
        return sessionId
      },
      async commanded(editor, lab) {
        const sessionId = await open(editor, lab)
        await editor.prompt(sessionId, '/mcp')
        return sessionId
      },
      // The last, so that the process is killed right after its answer.
      opened: open,
    })
  })
  afterAll(() => crashed[Symbol.asyncDispose]())

  test('right after session/new was answered: the session exists', async () => {
    const { lab, next, sessions } = crashed
    await resume(next, { sessionId: sessions.opened, cwd: lab.path })
    expect(await next.prompt(sessions.opened, 'hello')).toEqual({ stopReason: 'end_turn' })
    expect((await listAll(next)).filter(({ sessionId }) => sessionId === sessions.opened)).toMatchObject([
      { cwd: lab.path },
    ])
  })

  test('before the model answered: the prompt is not forgotten', async () => {
    const { request } = await goOn(crashed, 'asking the model')
    expect(textOf(request.messages[0])).toBe('say nothing')
    // The next prompt is a message of its own.
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('while a prompt waited for servers: the prompt is not forgotten', async () => {
    expect(JSON.stringify(crashed.lab.model.requests)).not.toContain('are you there?')
    const { request } = await goOn(crashed, 'waiting')
    expect(textOf(request.messages[0])).toContain('are you there?')
  })

  test('after Ostler itself had answered a command: the model is not told about it', async () => {
    const { lab, next, sessions } = crashed
    const sessionId = sessions.commanded
    // As if the process had been killed before the end of the turn was written.
    await lab.history.journal.change((statements) =>
      statements.run(`DELETE FROM messages WHERE body LIKE '%turn_end%' AND session_id = ?`, sessionId),
    )
    await load(next, { sessionId, cwd: lab.path })
    await next.prompt(sessionId, 'hello')
    expect(lab.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user'])
  })
})

const callsOf = <Doing extends string>({ lab, sessions }: Crashed<Doing>, doing: Doing) =>
  lab.history.calls.list({ sessionId: sessions[doing], limit: 10 })

const resultsIn = ({ messages }: ModelRequest) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])))

function progressOf(editor: AcpProcess, sessionId: string): string[] {
  return editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : [],
    )
}
