import { describe, expect, it } from 'vitest'
import type { StoredQuestion } from '../../../packages/console/src/api.ts'
import { describeEnd, mergeShown } from '../../../packages/console/src/page/pages/questions/merge-shown.ts'
import { toModelRequest } from '../../../packages/console/src/page/schema/to-model-request.ts'
import { describeQuestion } from '../../../packages/console/src/page/text/describe-question.ts'
import { isSameJson } from '../../../packages/console/src/page/schema/entry.ts'
import { waitsForYou } from '../../../packages/console/src/page/parts/open-questions.ts'
import { toOpenable } from '../../../packages/console/src/page/text/to-openable.ts'

const question = (body: object) => ({ body }) as StoredQuestion
const call = question({ kind: 'call', title: 'Write notes.txt' })

it.each([
  [{ kind: 'form', server: null }, 'The agent asks you'],
  [{ kind: 'page', server: 'web' }, 'The server web asks'],
  [{ kind: 'page', server: 'web', login: 'hash' }, 'web wants you to log in'],
])('%j is described', (body, text) => expect(describeQuestion(question(body))).toBe(text))

describe('the end of a question that was not answered on this page', () => {
  it.each([
    [call, { decision: 'deny', rule: 'person:deny-once' }, 'You rejected it, in the editor.'],
    [
      call,
      { decision: 'allow', rule: 'person:allow-session:console' },
      'You allowed it for the session, in the console.',
    ],
    [call, { decision: 'cancelled', rule: 'person:cancelled' }, 'You closed the question without an answer.'],
    [
      call,
      { decision: 'cancelled', rule: 'turn:cancelled' },
      'Cancelled: the turn was cancelled before a decision.',
    ],
    [call, { decision: null, rule: null }, 'The question was withdrawn.'],
    [call, undefined, 'The question was withdrawn.'],
    [question({ kind: 'form', server: null }), undefined, 'Answered in another place, or withdrawn.'],
    [question({ kind: 'page', server: 'web' }), undefined, 'Answered in another place, or withdrawn.'],
  ])('%# is described', (asked, found, text) => expect(describeEnd(asked, found)).toBe(text))
})

describe('the questions on the page', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }) as StoredQuestion) as [
    StoredQuestion,
    StoredQuestion,
    StoredQuestion,
  ]
  const [A, B, C] = [{ question: a }, { question: b }, { question: c }]
  const ended = { question: a, end: 'a ended' }
  it.each([
    ['open ones are shown', [], [a, b], [A, B]],
    ['one that was closed keeps its place', [A, B], [b], [ended, B]],
    [
      'what became of it is not overwritten',
      [{ ...ended, end: 'Allowed.' }, B],
      [b],
      [{ ...ended, end: 'Allowed.' }, B],
    ],
    ['a new one comes last, even if it is older', [B], [a, b], [B, A]],
    ['one that is open again can be answered', [ended], [a], [A]],
    ['a closed one does not make room for a new one', [A, B], [b, c], [ended, B, C]],
  ])('%s', (_, before, open, shown) =>
    expect(mergeShown(before, open, ({ id }) => `${id} ended`)).toEqual(shown),
  )
})

describe('arguments', () => {
  it.each([
    [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: [1] }, { a: { 0: 1 } }, false],
    [{ a: '1' }, { a: 1 }, false],
    [{}, null, false],
  ])('%j and %j are the same: %j', (one, other, is) => {
    expect(isSameJson(one, other)).toBe(is)
    expect(isSameJson(other, one)).toBe(is)
  })

  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]
  it.each([
    [{ messages }, true],
    [{ messages, systemPrompt: 'Be kind', maxTokens: 5 }, true],
    [{ messages, path: '/etc' }, false],
    [{ messages: 'Hi' }, false],
    [{ messages: [{ role: 'system', content: [] }] }, false],
    [{ messages: [{ role: 'user', content: ['Hi'] }] }, false],
    [{ messages, systemPrompt: ['x'] }, false],
  ])('%j are a request to a model: %j', (args, is) => expect(toModelRequest(args) !== undefined).toBe(is))
})

describe('a call', () => {
  const base = {
    id: 'c',
    sessionId: 's',
    server: 'files',
    tool: 'read',
    status: 'pending',
    decision: null,
  } as const
  const asked = (body: object, sessionId = 's') => ({ sessionId, body }) as StoredQuestion
  const own = asked({ kind: 'form', server: null })
  it.each([
    ['that is asked for', {}, [asked({ kind: 'call', callId: 'c' })], true],
    ['that waits for its server', {}, [asked({ kind: 'call', callId: 'other' })], false],
    ['that waits for a slot', { decision: 'allow' }, [asked({ kind: 'call', callId: 'c' })], false],
    ['that has ended', { status: 'success' }, [asked({ kind: 'call', callId: 'c' })], false],
    ['in which a server asks', { tool: 'elicitation' }, [], true],
    ['of a tool of another name', { server: null, tool: 'elicitation' }, [], false],
    ['in which the agent asks', { status: 'running', server: null, tool: 'ask_person' }, [own], true],
    [
      'of another session',
      { status: 'running', server: null, tool: 'ask_person' },
      [asked({ kind: 'form', server: null }, 'other')],
      false,
    ],
    ['of a tool beside it', { status: 'running' }, [own], false],
  ] as const)('%s: waits for you: %#', (_, over, open, expected) =>
    expect(waitsForYou({ ...base, ...over }, open)).toBe(expected),
  )
})

describe('the address of a page that a server wants opened', () => {
  it.each([
    ['https://example.com/a?b', 'https://example.com/a?b'],
    ['http://127.0.0.1:8080/login', 'http://127.0.0.1:8080/login'],
    ['http://localhost/', 'http://localhost/'],
    ['http://[::1]:1/', 'http://[::1]:1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://example.com/', undefined],
    ['http://localhost.example.com/', undefined],
    ['http://127.0.0.1.example.com/', undefined],
    ['https://user:secret@example.com/', undefined],
    ['http://user@localhost/', undefined],
    ['https://exam\u202eple.com/', undefined],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['no address', undefined],
  ])('%s opens as %s', (text, href) => expect(toOpenable(text)).toBe(href))
})
