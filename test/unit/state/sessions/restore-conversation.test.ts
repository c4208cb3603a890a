import { expect, test } from 'vitest'
import type { StoredCall } from '../../../../packages/agent-api/src/state/calls/call.ts'
import { restoreConversation } from '../../../../packages/agent-api/src/state/sessions/restore-conversation.ts'
import type { SessionEntry } from '../../../../packages/agent-api/src/state/sessions/session-entry.ts'
import { toTranscript } from '../../../../packages/agent-api/src/state/sessions/transcript.ts'
import type { Message } from '../../../../packages/agent-api/src/messages/message.ts'
import type { TurnEvent } from '../../../../packages/agent-api/src/messages/turn-event.ts'

const usage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }
const block = (text: string) => ({ type: 'text', text }) as const
const prompt = (text: string, turn = 1): SessionEntry => ({ turn, kind: 'prompt', content: [block(text)] })
const event = (value: TurnEvent, turn = 1): SessionEntry => ({ turn, kind: 'event', event: value })
const said = (message: Message, turn = 1): SessionEntry => ({ turn, kind: 'message', message })
const user = (text: string): Message => ({ role: 'user', id: 'u', content: [block(text)] })
const assistant = (text: string, ...calls: string[]): Message => ({
  role: 'assistant',
  id: 'a',
  parts: [
    block(text),
    ...calls.map((id) => ({ type: 'tool_call' as const, id, wireName: 'x', input: '{}' })),
  ],
})
const chunk = (text: string, messageId = 'a'): TurnEvent => ({ type: 'text', messageId, text })
const end: TurnEvent = { type: 'turn_end', stopReason: 'end_turn', usage }
const seen = (id: string): TurnEvent => ({
  type: 'tool_call',
  call: { id, wireName: 'x', title: 'x', kind: 'other', rawInput: {}, locations: [] },
})
const status = (id: string, value: 'in_progress' | 'completed' | 'failed'): TurnEvent => ({
  type: 'tool_call_update',
  id,
  update: { status: value },
})
const stored = (value: StoredCall['status'], text: string) =>
  ({ server: 's', tool: 't', status: value, result: { content: [block(text)] } }) as unknown as StoredCall

const options = { isOwnCommand: (name: string) => name === 'mcp' }

/** Returns a line for each message. */
async function told(
  entries: readonly SessionEntry[],
  calls: Readonly<Record<string, StoredCall>> = {},
): Promise<string[]> {
  const whole = await restoreConversation([entries], (id) => calls[id], options)
  // The result does not depend on page boundaries.
  const pieces = entries.map((entry) => [entry])
  const textOf = (messages: readonly Message[]) => JSON.stringify(messages).replaceAll(/"id":"[^"]*"/g, '')
  expect(textOf(await restoreConversation(pieces, (id) => calls[id], options))).toBe(textOf(whole))
  return whole.map((message) => {
    if (message.role === 'tool') {
      return `tool: ${message.results.map(({ id, outcome, result }) => `${id} ${outcome} ${JSON.stringify(result.content[0])}`).join(' | ')}`
    }
    const parts = message.role === 'user' ? message.content : message.parts
    return `${message.role}: ${parts.map((part) => ('text' in part ? part.text : part.type)).join(' ')}`
  })
}

test('a turn that ended is restored unchanged', async () => {
  expect(
    await told([prompt('hi'), said(user('hi')), event(chunk('yo')), said(assistant('yo')), event(end)]),
  ).toEqual(['user: hi', 'assistant: yo'])
})

test('texts shown after the last message are restored, and no others', async () => {
  const entries = [prompt('hi'), said(user('hi')), event(chunk('one ')), event(chunk('two'))]
  expect(await told(entries)).toEqual(['user: hi', 'assistant: one two'])
  // An error text is only for the person.
  expect(await told([...entries, event(end)])).toEqual(['user: hi'])
})

test.each<[string, string, SessionEntry[], string[]]>([
  ['a prompt that no model had heard of', 'hi', [], ['user: hi']],
  ['an image by itself', ' ', [], ['user:  ']],
  ['a command', '/mcp', [], []],
  ['a command of a server', '/git:commit-message "all of it"', [], ['user: /git:commit-message "all of it"']],
  ['a command of the agent file', '/review app.ts', [], ['user: /review app.ts']],
  ['a path', '/etc/hosts is wrong', [], ['user: /etc/hosts is wrong']],
  ['a command and its answer', ' /mcp', [event(chunk('no servers'))], []],
])('cut off: %s', async (_, text, rest, expected) => {
  expect(
    await told([prompt(text), ...rest, prompt('next', 2), said(user('next'), 2), event(end, 2)]),
  ).toEqual([...expected, 'user: next'])
})

test('calls have their result, or are reported as interrupted', async () => {
  const entries = [
    prompt('go'),
    said(user('go')),
    said(assistant('I will', 'done', 'no', 'ran', 'asked', 'unseen')),
    event(seen('done')),
    event(status('done', 'in_progress')),
    event(seen('no')),
    event(seen('ran')),
    event(status('ran', 'in_progress')),
    event(seen('asked')),
    event(status('done', 'completed')),
    event(status('no', 'failed')),
  ]
  const calls = {
    done: stored('success', 'result'),
    no: stored('denied', 'not allowed'),
    ran: { ...stored('interrupted', ''), result: null },
  }
  expect(await told(entries, calls)).toEqual([
    'user: go',
    'assistant: I will tool_call tool_call tool_call tool_call tool_call',
    expect.stringMatching(
      /^tool: done success .*"result".* \| no denied .*not allowed.* \| ran error .*may have run.* \| asked error .*Nothing was run.* \| unseen error .*Nothing was run/,
    ),
  ])
  expect(toTranscript(entries).slice(-2)).toMatchObject([
    {
      kind: 'event',
      event: { id: 'ran', update: { status: 'failed', rawOutput: expect.stringContaining('may have run') } },
    },
    {
      kind: 'event',
      event: {
        id: 'asked',
        update: { status: 'failed', rawOutput: expect.stringContaining('Nothing was run') },
      },
    },
  ])
})

test('a transcript joins pieces of one text, and no others', () => {
  const chunks = [
    chunk('a', '1'),
    chunk('b', '1'),
    chunk('c', '2'),
    seen('x'),
    chunk('d', '2'),
    status('x', 'completed'),
  ]
  const thought: TurnEvent = { type: 'thought', messageId: '2', text: 'e' }
  const shown = toTranscript([
    ...chunks.map((value) => event(value)),
    event(thought),
    said(user('unseen')),
    event(chunk('f', '2'), 2),
  ])
  expect(
    shown.map((entry) => (entry.kind === 'event' && 'text' in entry.event ? entry.event.text : entry.kind)),
  ).toEqual(['ab', 'c', 'event', 'd', 'event', 'e', 'f'])
})
