import type { McpElicitation } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { createAcpElicit } from '../../../../packages/acp-server/src/editor/acp-elicit.ts'
import { fromAcpClientCapabilities } from '../../../../packages/acp-server/src/editor/from-acp-client-capabilities.ts'
import { standInForEditor } from '../../../support/editor-stand-in.ts'

const form: McpElicitation = { server: 'web', mode: 'form', message: 'Who?', schema: { properties: { name: { type: 'string' } } } }
const link: McpElicitation = { server: 'web', mode: 'url', message: 'Sign in', url: 'https://web.example/in', elicitationId: 'e1' }
const cancelled = { action: 'cancel' }
const signal = new AbortController().signal

function openElicit(kinds: object, answer: unknown = { action: 'accept', content: { name: 'Ada' } }) {
  const { client, requests } = standInForEditor({ 'elicitation/create': answer })
  const capabilities = fromAcpClientCapabilities({ elicitation: kinds })
  return { elicit: createAcpElicit({ client, sessionId: 's1', capabilities }), requests }
}

test('an editor that cannot ask is not asked', () => {
  expect(openElicit({}).elicit).toBeUndefined()
})

test('a form is shown under the name of the server', async () => {
  const { elicit, requests } = openElicit({ form: {} })
  expect(await elicit?.(form, signal)).toEqual({ action: 'accept', content: { name: 'Ada' } })
  expect(requests).toMatchObject([{ params: { mode: 'form', sessionId: 's1', message: 'The MCP server "web" asks: Who?' } }])
})

test.each(['https://web.example/in', 'http://127.0.0.1:8080/'])('the address %s is shown', async (url) => {
  const { elicit, requests } = openElicit({ url: {} }, { action: 'accept' })
  expect(await elicit?.({ ...link, url }, signal)).toEqual({ action: 'accept' })
  expect(requests).toMatchObject([{ params: { mode: 'url', url, elicitationId: 'e1' } }])
})

test.each([
  ['a form where only addresses are shown', { url: {} }, form],
  ['an address where only forms are shown', { form: {} }, link],
  ['a form that none can be', { form: {} }, { ...form, schema: { properties: { trip: { type: 'object' } } } }],
  ['a file', { url: {} }, { ...link, url: 'file:///etc/passwd' }],
  ['a program', { url: {} }, { ...link, url: 'vscode://open' }],
  ['no address', { url: {} }, { ...link, url: 'web.example' }],
] as const)('%s is not passed on', async (_, kinds, request) => {
  const { elicit, requests } = openElicit(kinds)
  expect(await elicit?.(request, signal)).toEqual(cancelled)
  expect(requests).toEqual([])
})

test('nothing is asked once the call is cancelled', async () => {
  const { elicit, requests } = openElicit({ form: {} })
  expect(await elicit?.(form, AbortSignal.abort())).toEqual(cancelled)
  expect(requests).toEqual([])
})

test('an answer without content is an answer', async () => {
  const { elicit } = openElicit({ form: {} }, { action: 'accept', content: 'Ada' })
  expect(await elicit?.(form, signal)).toEqual({ action: 'accept' })
})
