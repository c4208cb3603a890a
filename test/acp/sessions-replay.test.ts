import type { ContentBlock } from '@agentclientprotocol/sdk'
import { defineTool, type Tool } from '@ostler/agent-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { neverAnswer, selectPermission, type AcpInProcess } from '../support/acp-harness.ts'
import { conversation, load, openSessionLab, resume, seen, type SessionLab } from '../support/acp-sessions.ts'
import type { Reply } from '../support/loopback-model/index.ts'
import type { ScriptedToolCall } from '../support/loopback-model/script.ts'

/** A tool for every outcome of a call. Its arguments determine what it does. */
const tools: readonly Tool[] = [
  defineTool({ name: 'say', description: 'Says it', execute: ({ word }) => String(word) }),
  defineTool({
    name: 'fail',
    description: 'Fails',
    execute: () => {
      throw new Error('as asked')
    },
  }),
  defineTool({
    name: 'show',
    description: 'Shows an image',
    execute: () => ({
      isError: false,
      content: [
        { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///x', text: 'x' } },
      ],
      structured: { seen: [1, null, { deep: true }] },
    }),
  }),
  defineTool({
    name: 'strict',
    description: 'Wants a number',
    inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    execute: () => 'fine',
  }),
  {
    ref: { server: null, tool: 'report' },
    description: 'Reports as it goes',
    kind: 'execute',
    inputSchema: { type: 'object' },
    locations: () => [{ path: '/a/b', line: 3 }],
    async execute(_, { show }) {
      for (let step = 1; step <= 3; step++) {
        show([{ type: 'text', text: `step ${step}` }])
        await new Promise((resolve) => setImmediate(resolve))
      }
      return {
        isError: false,
        content: [{ type: 'diff', path: '/a/b', oldText: null, newText: 'new' }],
        locations: [{ path: '/a/b' }],
      }
    },
  },
  defineTool({
    name: 'wait',
    description: 'Waits to be cancelled',
    execute: (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'), { once: true })),
  }),
]

type Answer = 'allow' | 'reject' | 'cancel'

interface PlannedTurn {
  readonly prompt: ContentBlock[]
  readonly replies: readonly Reply[]
  readonly answers: readonly Answer[]
  /** Number of updates after which the turn is cancelled. Never if undefined. */
  readonly cancelAfter: number | undefined
}

const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom('héllo 🐎', 'a\nb', '\u2028', '<b>', '\\u0000', '   '),
)

const call: fc.Arbitrary<ScriptedToolCall> = fc.oneof(
  { weight: 4, arbitrary: words.map((word) => ({ name: 'say', args: { word } })) },
  { weight: 6, arbitrary: fc.constantFrom('fail', 'show', 'report').map((name) => ({ name, args: {} })) },
  fc.constantFrom({ n: 1 }, { n: 'one' }, {}).map((args) => ({ name: 'strict', args })),
  fc.constant({ name: 'nobody', args: {} }),
  fc.constant({ name: 'say', args: '{"word": ' }),
)

const usage = fc.record({ inputTokens: fc.nat(1_000), outputTokens: fc.nat(1_000) })

const reply: fc.Arbitrary<Reply> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        thoughts: words,
        text: fc.array(words, { minLength: 1, maxLength: 5 }),
        toolCalls: fc
          .array(call, { minLength: 1, maxLength: 4 })
          .map((calls) => calls.map((one, index) => ({ ...one, id: `id${index}` }))),
        usage,
      },
      { requiredKeys: [] },
    ),
  },
  fc.record({
    text: fc.array(words, { minLength: 1, maxLength: 3 }),
    stop: fc.constantFrom('max_tokens' as const, 'refusal' as const),
  }),
  fc.record({ status: fc.constant(400), errorMessage: fc.constant('scripted refusal') }),
  fc.record({
    text: fc.array(words, { minLength: 1, maxLength: 3 }),
    streamError: fc.constant('scripted end'),
  }),
)

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: words.map((text): ContentBlock => ({ type: 'text', text })) },
  fc.constant<ContentBlock>({ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png', uri: 'file:///a.png' }),
  fc.constant<ContentBlock>({ type: 'resource_link', uri: 'file:///a', name: 'a', size: 3 }),
  fc.constant<ContentBlock>({ type: 'resource', resource: { uri: 'file:///b', text: 'b' } }),
)

const turn: fc.Arbitrary<PlannedTurn> = fc.record({
  prompt: fc.oneof(
    { weight: 6, arbitrary: fc.array(block, { minLength: 1, maxLength: 3 }) },
    fc.constantFrom('/mcp', '/tools', '/unknown').map((text): ContentBlock[] => [{ type: 'text', text }]),
  ),
  replies: fc.array(reply, { maxLength: 4 }),
  answers: fc.array(fc.constantFrom<Answer>('allow', 'allow', 'allow', 'reject', 'cancel'), { maxLength: 6 }),
  cancelAfter: fc.option(fc.nat(12), { nil: undefined, freq: 3 }),
})

/** A turn with every kind of update. */
const everyKind: PlannedTurn = {
  prompt: [{ type: 'text', text: 'all' }],
  replies: [
    {
      thoughts: 'hm',
      text: ['I will'],
      toolCalls: ['say', 'report', 'fail'].map((name) => ({
        name,
        args: name === 'say' ? { word: 'x' } : {},
        id: name,
      })),
    },
  ],
  answers: [],
  cancelAfter: undefined,
}

/** The script of the running turn. Set before it begins. */
interface Plan {
  replies: Reply[]
  answers: Answer[]
}

async function run(
  editor: AcpInProcess,
  plan: Plan,
  sessionId: string,
  { prompt, replies, answers, cancelAfter }: PlannedTurn,
) {
  plan.replies = [...replies]
  plan.answers = [...answers]
  const start = editor.updates(sessionId).length
  const ended = editor.prompt(sessionId, prompt)
  if (cancelAfter !== undefined) {
    let isOver = false
    void ended.finally(() => (isOver = true)).catch(() => undefined)
    while (!isOver && editor.updates(sessionId).length < start + cancelAfter)
      await new Promise((resolve) => setImmediate(resolve))
    editor.notify('session/cancel', { sessionId })
  }
  await ended
}

function permission(plan: Plan) {
  return (request: unknown) => {
    const answer = plan.answers.shift() ?? 'allow'
    if (answer === 'cancel') return { outcome: { outcome: 'cancelled' } }
    return selectPermission(answer === 'allow' ? 'allow_once' : 'reject_once')(request)
  }
}

async function openPlanned(plan: Plan): Promise<SessionLab & { readonly first: AcpInProcess }> {
  const lab = await openSessionLab(() => plan.replies.shift() ?? { text: 'the end' }, {
    agent: { tools: { mode: 'open', tools }, maxSteps: 6 },
  })
  const first = await lab.open({ onPermission: permission(plan) })
  return {
    ...lab,
    first,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]()
      await lab[Symbol.asyncDispose]()
    },
  }
}

test('what load replays is what was streamed, for any session', async () => {
  const plan: Plan = { replies: [], answers: [] }
  await using lab = await openPlanned(plan)
  await using second = await lab.open({ onPermission: permission(plan) })
  const seenKinds = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), turn, async (turns, another) => {
      const { sessionId } = await lab.first.newSession({ cwd: lab.path })
      const session = { sessionId, cwd: lab.path }
      for (const planned of turns) await run(lab.first, plan, sessionId, planned)
      const live = seen(lab.first, sessionId)
      for (const update of live)
        seenKinds.add('status' in update ? `${update.sessionUpdate} ${update.status}` : update.sessionUpdate)
      expect(conversation((await load(second, session)).updates)).toEqual(live)
      // The same on the connection where the session is open, and after another connection continued it.
      expect(conversation((await load(lab.first, session)).updates)).toEqual(live)
      await resume(second, session)
      const start = second.transcript.length
      await run(second, plan, sessionId, another)
      const added = seen({ ...second, transcript: second.transcript.slice(start) }, sessionId, turns.length)
      expect(conversation((await load(lab.first, session)).updates)).toEqual([...live, ...added])
      await lab.first.request('session/close', { sessionId })
      await second.request('session/close', { sessionId })
    }),
    { numRuns: 15, endOnFailure: true, examples: [[[everyKind], everyKind]] },
  )
  // The property is only meaningful if all kinds occurred. The example has them.
  expect([...seenKinds].toSorted()).toEqual([
    'agent_message_chunk',
    'agent_thought_chunk',
    'tool_call pending',
    'tool_call_update',
    'tool_call_update completed',
    'tool_call_update failed',
    'tool_call_update in_progress',
    'usage_update',
    'user_message_chunk',
  ])
})

test('a call that was cancelled while running, and one while permission was asked', async () => {
  const plan: Plan = { replies: [], answers: [] }
  await using lab = await openPlanned(plan)
  const { sessionId } = await lab.first.newSession({ cwd: lab.path })
  plan.replies = [{ toolCalls: [{ name: 'wait', args: {} }] }]
  const running = lab.first.prompt(sessionId, 'wait')
  await lab.first.waitForUpdate(sessionId, 'tool_call_update', ({ status }) => status === 'in_progress')
  lab.first.notify('session/cancel', { sessionId })
  expect(await running).toEqual({ stopReason: 'cancelled' })
  const live = seen(lab.first, sessionId)
  await using asked = await lab.open({ onPermission: () => neverAnswer })
  expect(conversation((await load(asked, { sessionId, cwd: lab.path })).updates)).toEqual(live)
  plan.replies = [{ toolCalls: [{ name: 'say', args: { word: 'x' } }] }]
  const start = asked.updates(sessionId).length
  const asking = asked.prompt(sessionId, 'say')
  await asked.waitFor(({ method }) => method === 'session/request_permission')
  asked.notify('session/cancel', { sessionId })
  expect(await asking).toEqual({ stopReason: 'cancelled' })
  const added = conversation(asked.updates(sessionId).slice(start))
  const prompt = {
    sessionUpdate: 'user_message_chunk',
    messageId: 'prompt_2',
    content: { type: 'text', text: 'say' },
  }
  expect(conversation((await load(lab.first, { sessionId, cwd: lab.path })).updates)).toEqual([
    ...live,
    prompt,
    ...added,
  ])
})
