import { describe, expect, it } from 'vitest'
import type { StoredQuestion } from '../../../packages/console/src/api.ts'
import { describeEnd } from '../../../packages/console/src/page/pages/questions/describe-end.ts'
import { toOpenable } from '../../../packages/console/src/page/text/to-openable.ts'

const question = (body: object) => ({ body }) as StoredQuestion
const call = question({ kind: 'call', title: 'Write notes.txt' })

describe('the end of a question that was not answered on this page', () => {
  it.each([
    [call, { decision: 'deny', rule: 'person:deny-once' }, 'Write notes.txt: You rejected it, in the editor.'],
    [call, { decision: 'allow', rule: 'person:allow-session:console' }, 'Write notes.txt: You allowed it for the session, in the console.'],
    [call, { decision: 'cancelled', rule: 'person:cancelled' }, 'Write notes.txt: You closed the question without an answer.'],
    [call, { decision: 'cancelled', rule: 'turn:cancelled' }, 'Write notes.txt: Cancelled: the turn was cancelled before a decision.'],
    [call, { decision: null, rule: null }, 'Write notes.txt: no longer asked.'],
    [call, undefined, 'Write notes.txt: no longer asked.'],
    [question({ kind: 'form', server: null }), undefined, 'The question of the agent was answered elsewhere, or is no longer asked.'],
    [question({ kind: 'page', server: 'web' }), undefined, 'The question of web was answered elsewhere, or is no longer asked.'],
  ])('%# is told', (asked, found, text) => expect(describeEnd(asked, found)).toBe(text))
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
