import { expect, it, vi } from 'vitest'
import { redactedMark } from '../../../packages/agent-api/src/base/clean-text.ts'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { Answer } from '../../../packages/agent-api/src/messages/question.ts'
import type { PlanFacts } from '../../../packages/agent-api/src/policy/approval.ts'
import type { Person } from '../../../packages/agent-api/src/policy/question.ts'
import { createAsk } from '../../../packages/agent-api/src/session/create-ask.ts'
import type { State } from '../../../packages/agent-api/src/state/state.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'

const form = {
  kind: 'form',
  server: 'rich',
  message: 'Your name?',
  schema: { properties: { name: {}, age: {} } },
} as const
const url = 'https://example.com/in?state=hush-hush-hush'
const page = { kind: 'page', server: 'rich', message: 'Log in', url, elicitationId: 'e' } as const
const login = { kind: 'login', server: 'rich', url, login: 'hash' } as const
const live = new AbortController().signal

function openAsk(ask: Person['ask'], asks: Person['asks'] = ['call', 'form', 'page', 'login']) {
  const state = openState()
  const calls = () => state.calls.recorder({ agent: 'default' })
  const { questions } = state
  const options = { questions, agent: 'default', sessionId: 's', calls, logger: silentLogger }
  return { state, ask: createAsk({ asks, ask }, options) }
}

it.each<[Answer, string, string]>([
  [{ verdict: 'allow', values: { name: 'hush-hush-hush' } }, 'success', 'answer:accepted'],
  [{ verdict: 'allow', from: 'console' }, 'success', 'answer:accepted:console'],
  [{ verdict: 'deny' }, 'denied', 'answer:declined'],
  [{ verdict: 'cancelled', from: 'console' }, 'cancelled', 'answer:cancelled:console'],
])('the answer %j is recorded as %s by %s, without what was typed', async (given, status, rule) => {
  const { state, ask } = openAsk(async () => given)
  using _ = state
  expect(await ask(form, live)).toEqual(given)
  for (const question of [page, login])
    expect(await ask(question, live)).toMatchObject({ verdict: given.verdict })
  const rows = state.calls.list({ limit: 9 }).map(({ id }) => state.calls.find(id))
  const about = { server: 'rich', tool: 'elicitation', status, rule }
  expect(rows).toMatchObject([
    {
      ...about,
      arguments: { mode: 'url', message: 'Log in, so that its tools can be used.', host: 'example.com' },
    },
    { ...about, arguments: { mode: 'url', message: 'Log in', host: 'example.com' } },
    { ...about, arguments: { mode: 'form', message: 'Your name?', fields: ['name', 'age'] } },
  ])
  expect(JSON.stringify(rows)).not.toContain('hush')
})

it('a question that cannot be opened in the console is asked in the editor, and the log says why', async () => {
  const debug = vi.fn()
  using state = openState()
  const questions = { ...state.questions, open: () => Promise.reject(new Error('disk full')) }
  const calls = () => state.calls.recorder({ agent: 'default' })
  const ask = createAsk(
    { asks: ['form'], ask: async () => ({ verdict: 'deny' }) },
    { questions, agent: 'default', sessionId: 's', calls, logger: { ...silentLogger, debug } },
  )
  expect(await ask(form, live)).toEqual({ verdict: 'deny' })
  expect(debug).toHaveBeenCalledWith('a question could not be opened', { error: 'disk full' })
})

it('a question that ends with its turn, or cannot be asked, was cancelled', async () => {
  const { state, ask } = openAsk(() => Promise.reject(new Error('broken')))
  using _ = state
  expect(await ask(form, AbortSignal.abort())).toEqual({ verdict: 'cancelled' })
  expect(await ask(form, live)).toEqual({ verdict: 'cancelled' })
  const row = { status: 'cancelled', rule: 'answer:cancelled' }
  expect(state.calls.list({ limit: 9 })).toMatchObject([row, row])
})

it.each<[string, unknown, Answer]>([
  [
    'a field that the form does not have',
    { verdict: 'allow', values: { name: 'Ada', admin: true } },
    { verdict: 'allow', values: { name: 'Ada' } },
  ],
  ['an inherited name', { verdict: 'allow', values: { toString: 'x' } }, { verdict: 'allow', values: {} }],
  ['a word', 'allow', { verdict: 'cancelled' }],
  ['null', null, { verdict: 'cancelled' }],
  ['an unknown verdict', { verdict: 'yes', values: { name: 'Ada' } }, { verdict: 'cancelled' }],
  ['a refusal with values', { verdict: 'deny', values: { name: 'Ada' } }, { verdict: 'deny' }],
])('of a form, %s does not count', async (_, given, expected) => {
  const { state, ask } = openAsk(async () => given as Answer)
  using _state = state
  expect(await ask(form, live)).toEqual(expected)
  expect(state.questions.ids()).toEqual([])
})

it('the form of a tool is part of its call, which the history has', async () => {
  const { state, ask } = openAsk(async () => ({ verdict: 'deny' }))
  using _ = state
  expect(await ask({ ...form, server: null }, live)).toEqual({ verdict: 'deny' })
  expect(state.calls.list({ limit: 9 })).toEqual([])
})

it('a person is asked nothing of a kind that they cannot be asked', async () => {
  const asked: unknown[] = []
  const { state, ask } = openAsk(async (question) => {
    asked.push(question)
    return { verdict: 'allow', scope: 'always' }
  }, [])
  using _ = state
  for (const question of [form, page, login])
    expect(await ask(question, live)).toEqual({ verdict: 'cancelled' })
  expect(await ask(toQuestion({}), live)).toEqual({ verdict: 'deny', scope: 'once', from: 'nobody' })
  expect(asked).toEqual([])
})

it('a cancelled question closes in the console, even if the editor never ends it', async () => {
  const { state, ask } = openAsk(() => new Promise(() => undefined))
  using _ = state
  const turn = new AbortController()
  const answer = ask(form, turn.signal)
  await vi.waitUntil(() => state.questions.ids().length === 1)
  turn.abort()
  expect(await answer).toEqual({ verdict: 'cancelled' })
  await vi.waitUntil(() => state.questions.ids().length === 0)
})

async function openId({ questions }: Pick<State, 'questions'>): Promise<string> {
  await vi.waitUntil(() => questions.ids().length > 0)
  return questions.ids()[0] ?? ''
}

function toQuestion(args: object) {
  const ref = { server: null, tool: 'say' }
  const call = {
    id: 'c',
    ref,
    wireName: 'say',
    title: 'Say',
    kind: 'other',
    rawInput: args,
    locations: [],
  } as const
  return { kind: 'call', call, ref, args: { ...args }, inputSchema: {}, lasting: { type: 'tool' } } as const
}

it.each<[string, object, Answer]>([
  [
    'are allowed',
    { word: 'old' },
    { verdict: 'allow', scope: 'once', values: { word: 'new' }, from: 'console' },
  ],
  [
    'do not count where a secret is redacted',
    { word: redactedMark },
    { verdict: 'deny', scope: 'once', from: 'console' },
  ],
])('changed arguments from the console %s', async (_, args, expected) => {
  const { state, ask } = openAsk(() => new Promise(() => undefined))
  using _state = state
  const answer = ask(toQuestion(args), live)
  const id = await openId(state)
  expect(await state.questions.answer(id, { choice: 'allow-once', arguments: { word: 'new' } })).toBe(true)
  expect(await answer).toEqual(expected)
})

it('an answer in the console ends the question in the editor', async () => {
  let inEditor: AbortSignal | undefined
  const { state, ask } = openAsk((_, signal) => {
    inEditor = signal
    return new Promise(() => undefined)
  })
  using _ = state
  const answer = ask(toQuestion({}), live)
  const id = await openId(state)
  expect(inEditor?.aborted).toBe(false)
  await state.questions.answer(id, { choice: 'reject-once' })
  expect(await answer).toEqual({ verdict: 'deny', scope: 'once', from: 'console' })
  expect(inEditor?.aborted).toBe(true)
  expect(state.questions.ids()).toEqual([])
})

it('after an answer in the editor, nothing waits for the console', async () => {
  using state = openState()
  const { questions } = state
  const waiting: AbortSignal[] = []
  const watched: State['questions'] = {
    ...questions,
    async open(question) {
      const open = await questions.open(question)
      return (
        open && {
          ...open,
          answered(signal) {
            waiting.push(signal)
            return open.answered(signal)
          },
        }
      )
    },
  }
  const ask = createAsk(
    { ask: async () => ({ verdict: 'allow', scope: 'once' }) },
    {
      questions: watched,
      agent: 'default',
      sessionId: 's',
      calls: () => state.calls.recorder({ agent: 'default' }),
      logger: silentLogger,
    },
  )
  expect(await ask(toQuestion({}), live)).toMatchObject({ verdict: 'allow' })
  expect(waiting.map(({ aborted }) => aborted)).toEqual([true])
  expect(questions.ids()).toEqual([])
})

it.each<[string, readonly string[], PlanFacts]>([
  ['an ordinary file', ['diff'], { effect: 'write' }],
  ['a file of secrets', [], { effect: 'write', sensitive: ['/p/.env'] }],
  ['a file outside', [], { effect: 'write', outside: ['/q/a'] }],
])('of a change to %s, the console is shown %j', async (_, shown, plan) => {
  const { state, ask } = openAsk(() => new Promise(() => undefined))
  using _state = state
  const question = toQuestion({})
  const content = [{ type: 'diff', path: '/p/a', oldText: 'old', newText: 'new' }] as const
  const turn = new AbortController()
  const answer = ask({ ...question, plan, call: { ...question.call, content } }, turn.signal)
  await openId(state)
  expect(state.questions.list()).toMatchObject([{ body: { content: shown.map((type) => ({ type })) } }])
  turn.abort()
  await answer
})
