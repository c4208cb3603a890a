import { describe, expect, it } from 'vitest'
import type { StoredQuestion } from '../../../packages/console/src/api.ts'
import { describeEnd } from '../../../packages/console/src/page/pages/questions/describe-end.ts'
import { waitsForYou } from '../../../packages/console/src/page/text/waits-for-you.ts'
import { toOpenable } from '../../../packages/console/src/page/text/to-openable.ts'

const question = (body: object) => ({ body }) as StoredQuestion
const call = question({ kind: 'call', title: 'Write notes.txt' })

describe('the end of a question that was not answered on this page', () => {
  it.each([
    [call, { decision: 'deny', rule: 'person:deny-once' }, 'Write notes.txt: You rejected it, in the editor.'],
    [call, { decision: 'allow', rule: 'person:allow-session:console' }, 'Write notes.txt: You allowed it for the session, in the console.'],
    [call, { decision: 'cancelled', rule: 'person:cancelled' }, 'Write notes.txt: You closed the question without an answer.'],
    [call, { decision: 'cancelled', rule: 'turn:cancelled' }, 'Write notes.txt: Cancelled: the turn was cancelled before a decision.'],
    [call, { decision: null, rule: null }, 'Write notes.txt: the question was withdrawn.'],
    [call, undefined, 'Write notes.txt: the question was withdrawn.'],
    [question({ kind: 'form', server: null }), undefined, 'The question from the agent was answered elsewhere or withdrawn.'],
    [question({ kind: 'page', server: 'web' }), undefined, 'The question from web was answered elsewhere or withdrawn.'],
  ])('%# is described', (asked, found, text) => expect(describeEnd(asked, found)).toBe(text))
})

describe('a call', () => {
  const base = { id: 'c', sessionId: 's', server: 'files', tool: 'read', status: 'pending', decision: null } as const
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
  ] as const)('%s: waits for you: %#', (_, over, open, expected) => expect(waitsForYou({ ...base, ...over }, open)).toBe(expected))
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
