import type { ApprovalQuestion } from '@ostler/agent-api'
import { answerChoices } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { fromPermissionResponse } from '../../../packages/acp-server/src/acp-person.ts'

const asked = { ref: { server: 'files', tool: 'read' }, lasting: { type: 'tool' } } as const
const local = { ref: { server: null, tool: 'read_file' } }

const select = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } })

test('each option is answered as what it offers', () => {
  const options = answerChoices(asked)
  expect(
    options.map(({ kind, name, id }) => [kind, name, fromPermissionResponse(select(id), asked)]),
  ).toEqual([
    ['allow_once', 'Allow once', { verdict: 'allow', scope: 'once' }],
    ['allow_always', 'Allow this tool for this session', { verdict: 'allow', scope: 'session' }],
    ['allow_always', 'Always allow this tool', { verdict: 'allow', scope: 'always' }],
    ['allow_always', "Always allow this server's tools", { verdict: 'allow', scope: 'server' }],
    ['reject_once', 'Reject once', { verdict: 'deny', scope: 'once' }],
    ['reject_always', 'Always reject this tool', { verdict: 'deny', scope: 'always' }],
  ])
})

test('a client that can ask nobody says so, whatever it chose', () => {
  const response = { ...select('allow-once'), _meta: { 'ostler/answeredBy': 'nobody' } }
  expect(fromPermissionResponse(response, asked)).toEqual({ verdict: 'deny', from: 'nobody' })
})

test('a request for the model is not called a tool', () => {
  const names = answerChoices({
    ref: { server: 'files', tool: 'sampling' },
    lasting: { type: 'tool' },
  }).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['Allow it for this session', 'Always allow it', 'Always reject it']),
  )
  expect(
    answerChoices({ ref: { server: null, tool: 'sampling' }, lasting: { type: 'tool' } })[1]?.name,
  ).toContain('this tool')
})

test.each<[string, ApprovalQuestion['lasting'], readonly string[]]>([
  [
    'a local tool has no server to allow',
    { type: 'tool' },
    ['allow-once', 'allow-session', 'allow-always', 'reject-once', 'reject-always'],
  ],
  [
    'a command',
    { type: 'command', command: { words: ['npm', 'test'], isExact: true, cwd: '/p' } },
    ['allow-once', 'allow-session', 'allow-always', 'reject-once'],
  ],
  ['a folder outside', { type: 'folder', folder: '/etc' }, ['allow-once', 'allow-session', 'reject-once']],
  [
    'a page',
    { type: 'origin', origin: 'https://a.org' },
    ['allow-once', 'allow-session', 'allow-always', 'reject-once', 'reject-always'],
  ],
  ['nothing that could last', { type: 'nothing' }, ['allow-once', 'reject-once']],
])('%s', (_, lasting, ids) => {
  expect(answerChoices({ ...local, lasting }).map(({ id }) => id)).toEqual(ids)
})

test('an "always" names what it allows', () => {
  const names = (lasting: ApprovalQuestion['lasting']) =>
    answerChoices({ ...local, lasting }).map(({ name }) => name)
  expect(names({ type: 'command', command: { words: ['npm', 'test'], isExact: true, cwd: '/p' } })).toContain(
    'Always allow "npm test" in this folder',
  )
  expect(
    names({ type: 'command', command: { words: ['git', 'status'], isExact: false, cwd: '/p' } }),
  ).toContain('Always allow "git status …" in this folder')
  expect(names({ type: 'origin', origin: 'https://a.org' })).toContain('Always allow pages of https://a.org')
  expect(names({ type: 'folder', folder: '/etc' })).toContain('Allow this tool in /etc for this session')
})

test('an option that this question did not offer does not allow', () => {
  const response = select('allow-always')
  expect(fromPermissionResponse(response, { ...local, lasting: { type: 'nothing' } })).toEqual({
    verdict: 'deny',
    scope: 'once',
  })
  expect(fromPermissionResponse(select('allow-server'), { ...local, lasting: { type: 'tool' } })).toEqual({
    verdict: 'deny',
    scope: 'once',
  })
})

test('cancelled is cancelled', () => {
  expect(fromPermissionResponse({ outcome: { outcome: 'cancelled' } }, asked)).toEqual({
    verdict: 'cancelled',
  })
})

test.each<[unknown]>([
  [undefined],
  [null],
  [true],
  ['allow-once'],
  [[]],
  [{}],
  [{ outcome: 'selected' }],
  [{ outcome: { optionId: 'allow-once' } }],
  [{ outcome: { outcome: 'selected' } }],
  [{ outcome: { outcome: 'selected', optionId: 'ALLOW-ONCE' } }],
  [{ outcome: { outcome: 'selected', optionId: ['allow-once'] } }],
  [{ outcome: { outcome: 'selected', optionId: '__proto__' } }],
  [{ outcome: { outcome: 'allowed', optionId: 'allow-once' } }],
  [{ optionId: 'allow-once' }],
])('%j does not allow', (response) => {
  expect(fromPermissionResponse(response, asked)).toEqual({ verdict: 'deny', scope: 'once' })
})
