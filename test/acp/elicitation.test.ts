import type { CreateElicitationRequest } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { everythingServer, openScriptedSession } from '../support/acp-scripted.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { lastResult } from '../support/last-result.ts'

const form = { elicitation: { form: {} } }
const schema = {
  type: 'object',
  properties: { city: { type: 'string', title: 'City' }, days: { type: 'integer', minimum: 1 } },
  required: ['city'],
}
const question = { name: 'ask_person', args: { message: 'Where to?', schema } }

function resultIn(request: ModelRequest | undefined): string {
  return lastResult(request) ?? 'no result'
}

test('the model can ask the person with a form, without permission', async () => {
  const handlers = {
    'elicitation/create': () => ({ action: 'accept', content: { city: 'Lisbon', days: 3 } }),
  }
  await using session = await openScriptedSession({
    script: [{ toolCalls: [question] }, { text: 'done' }],
    capabilities: form,
    handlers,
  })
  const { editor, model, sessionId } = session
  await editor.prompt(sessionId, 'plan a trip')
  expect(editor.permissionRequests()).toEqual([])
  const request = editor.received().find(({ method }) => method === 'elicitation/create')
    ?.params as CreateElicitationRequest
  expect(request).toMatchObject({
    mode: 'form',
    sessionId,
    toolCallId: expect.any(String),
    message: 'Where to?',
    requestedSchema: schema,
  })
  expect(JSON.parse(resultIn(model.requests[1]))).toEqual({ city: 'Lisbon', days: 3 })
})

test.each([
  ['decline', { action: 'decline' }, /declined/],
  ['cancel', { action: 'cancel' }, /without an answer/],
  ['an action nobody knows', { action: 'postpone', content: { city: 'Lisbon' } }, /without an answer/],
  ['nothing', null, /without an answer/],
])('%s is not an answer', async (_, answer, result) => {
  const handlers = { 'elicitation/create': () => answer }
  await using session = await openScriptedSession({
    script: [{ toolCalls: [question] }, { text: 'done' }],
    capabilities: form,
    handlers,
  })
  await session.editor.prompt(session.sessionId, 'plan a trip')
  expect(resultIn(session.model.requests[1])).toMatch(result)
})

test('a form that no editor can show is not sent', async () => {
  const nested = {
    ...question,
    args: { message: 'Where to?', schema: { type: 'object', properties: { trip: { type: 'object' } } } },
  }
  await using session = await openScriptedSession({
    script: [{ toolCalls: [nested] }, { text: 'done' }],
    capabilities: form,
  })
  await session.editor.prompt(session.sessionId, 'plan a trip')
  expect(session.editor.received().some(({ method }) => method === 'elicitation/create')).toBe(false)
  expect(resultIn(session.model.requests[1])).toMatch(/cannot be shown/)
})

test('an editor without forms is never asked', async () => {
  await using session = await openScriptedSession({
    script: [{ text: 'hi' }],
    mcpServers: [everythingServer()],
    capabilities: { elicitation: {} },
  })
  const { editor, model, sessionId } = session
  await editor.prompt(sessionId, 'ask me')
  expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain(
    'everything__trigger-elicitation-request',
  )
  expect(editor.received().some(({ method }) => method === 'elicitation/create')).toBe(false)
})
