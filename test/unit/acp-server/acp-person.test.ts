import type { ServerQuestion } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { createAcpPerson } from '../../../packages/acp-server/src/acp-person.ts'
import { fromAcpClientCapabilities } from '../../../packages/acp-server/src/editor/from-acp-client-capabilities.ts'
import { standInForEditor } from '../../support/editor-stand-in.ts'

const form: ServerQuestion = {
  server: 'web',
  kind: 'form',
  message: 'Who?',
  schema: { properties: { name: { type: 'string' } } },
}
const link: ServerQuestion = {
  server: 'web',
  kind: 'page',
  message: 'Sign in',
  url: 'https://web.example/in',
  elicitationId: 'e1',
}
const cancelled = { verdict: 'cancelled' }
const signal = new AbortController().signal

function openPerson(kinds: object, answer: unknown = { action: 'accept', content: { name: 'Ada' } }) {
  const { client, requests, notices } = standInForEditor({ 'elicitation/create': answer })
  const capabilities = fromAcpClientCapabilities({ elicitation: kinds })
  const canBeAsked = () => Promise.resolve()
  return { person: createAcpPerson({ client, sessionId: 's1', capabilities, canBeAsked }), requests, notices }
}

test('an editor says which questions it can show', () => {
  expect(openPerson({}).person.asks).toEqual(['call', 'restore'])
  expect(openPerson({ form: {} }).person.asks).toEqual(['call', 'restore', 'form'])
  expect(openPerson({ url: {} }).person.asks).toEqual(['call', 'restore', 'page', 'login'])
})

test('a form is shown under the name of the server', async () => {
  const { person, requests } = openPerson({ form: {} })
  expect(await person.ask(form, signal)).toEqual({ verdict: 'allow', values: { name: 'Ada' } })
  expect(requests).toMatchObject([
    { params: { mode: 'form', sessionId: 's1', message: 'The MCP server "web" asks: Who?' } },
  ])
})

test.each(['https://web.example/in', 'http://127.0.0.1:8080/'])('the address %s is shown', async (url) => {
  const { person, requests } = openPerson({ url: {} }, { action: 'accept' })
  expect(await person.ask({ ...link, url }, signal)).toEqual({ verdict: 'allow' })
  expect(requests).toMatchObject([{ params: { mode: 'url', url, elicitationId: 'e1' } }])
})

test.each([
  ['opened', { action: 'accept' }, ['elicitation/complete']],
  ['declined', { action: 'decline' }, []],
  ['not answered', { action: 'cancel' }, []],
] as const)(
  'of a page that was %s, the editor is told once at most that it is finished',
  async (_, answer, told) => {
    const { person, notices } = openPerson({ url: {} }, answer)
    await person.ask(link, signal)
    for (let time = 0; time < 2; time++) person.visited?.(link.elicitationId)
    expect(notices).toEqual(told)
  },
)

test.each([
  ['a form where only addresses are shown', { url: {} }, form],
  ['an address where only forms are shown', { form: {} }, link],
  [
    'a form that none can be',
    { form: {} },
    { ...form, schema: { properties: { trip: { type: 'object' } } } },
  ],
  ['a file', { url: {} }, { ...link, url: 'file:///etc/passwd' }],
  ['a program', { url: {} }, { ...link, url: 'vscode://open' }],
  ['no address', { url: {} }, { ...link, url: 'web.example' }],
] as const)('%s is not passed on', async (_, kinds, request) => {
  const { person, requests } = openPerson(kinds)
  expect(await person.ask(request, signal)).toEqual(cancelled)
  expect(requests).toEqual([])
})

test('nothing is asked once the call is cancelled', async () => {
  const { person, requests } = openPerson({ form: {} })
  expect(await person.ask(form, AbortSignal.abort())).toEqual(cancelled)
  expect(requests).toEqual([])
})

test('a login that ended before the editor knew the session is not offered', async () => {
  const { client, requests } = standInForEditor({})
  const capabilities = fromAcpClientCapabilities({ elicitation: { url: {} } })
  const ended = new AbortController()
  const canBeAsked = async () => ended.abort()
  const person = createAcpPerson({ client, sessionId: 's1', capabilities, canBeAsked })
  const login = { kind: 'login', server: 'web', url: link.url, login: 'hash' } as const
  expect(await person.ask(login, ended.signal)).toEqual(cancelled)
  expect(requests).toEqual([])
})

test('a question that stands apart waits until the editor knows the session, and brings its own call', async () => {
  const optionId = 'allow-once'
  const response = { outcome: { outcome: 'selected', optionId } }
  const { client, requests, notices } = standInForEditor({ 'session/request_permission': response })
  const known = Promise.withResolvers<void>()
  const capabilities = fromAcpClientCapabilities({})
  const person = createAcpPerson({ client, sessionId: 's1', capabilities, canBeAsked: () => known.promise })
  const ref = { server: 'web', tool: 'start' }
  const call = {
    id: 'c',
    ref,
    wireName: 'start',
    title: 'Start',
    kind: 'execute',
    rawInput: {},
    locations: [],
  } as const
  const apart = { kind: 'call', call, ref, args: {}, lasting: { type: 'nothing' }, isApart: true } as const
  const answer = person.ask(apart, signal)
  await new Promise(setImmediate)
  expect([notices, requests]).toEqual([[], []])
  known.resolve()
  expect(await answer).toEqual({ verdict: 'allow', scope: 'once' })
  expect(notices).toEqual(['session/update'])
  expect(requests).toMatchObject([{ method: 'session/request_permission' }])
})

test('an answer without content is an answer', async () => {
  const { person } = openPerson({ form: {} }, { action: 'accept', content: 'Ada' })
  expect(await person.ask(form, signal)).toEqual({ verdict: 'allow' })
})
