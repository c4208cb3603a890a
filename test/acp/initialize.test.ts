import { expect, test } from 'vitest'
import { openAcpInProcess } from '../support/acp-harness.ts'

test('initialize names the agent, its version of ACP and only what works', async () => {
  await using editor = openAcpInProcess()
  expect(await editor.initialize()).toEqual({
    protocolVersion: 1,
    agentInfo: { name: 'ostler', title: 'Ostler', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: true, sse: true },
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    authMethods: [expect.objectContaining({ id: 'environment' })],
  })
})

test.each([0, 1, 2, 999, 65_535])(
  'protocol version %d is answered with ours, never echoed',
  async (protocolVersion) => {
    await using editor = openAcpInProcess()
    expect(await editor.initialize({ protocolVersion })).toMatchObject({ protocolVersion: 1 })
  },
)

test.each([
  ['a string', '1'],
  ['a fraction', 1.5],
  ['negative', -1],
  ['too large', 65_536],
  ['missing', undefined],
  ['null', null],
])('a protocol version that is %s is refused, and the next attempt is served', async (_, protocolVersion) => {
  await using editor = openAcpInProcess()
  await expect(editor.initialize({ protocolVersion })).rejects.toMatchObject({
    code: -32602,
    data: { field: 'protocolVersion' },
  })
  expect(await editor.initialize()).toMatchObject({ protocolVersion: 1 })
})

test('malformed capabilities count as absent', async () => {
  await using editor = openAcpInProcess()
  await editor.initialize({
    clientCapabilities: { fs: 'garbage', terminal: 'yes', session: [], elicitation: { form: true } },
  })
  const { sessionId } = await editor.newSession({ cwd: '/' })
  await editor.prompt(sessionId, '/tools')
  expect(editor.text(sessionId)).not.toContain('ask_person')
})

test('no request is served before initialize, and a second initialize is refused', async () => {
  await using editor = openAcpInProcess()
  await expect(editor.newSession({ cwd: '/' })).rejects.toMatchObject({ code: -32600 })
  await expect(editor.prompt('nope', 'hi')).rejects.toMatchObject({ code: -32600 })
  editor.notify('session/cancel', { sessionId: 'nope' })
  await editor.initialize()
  await expect(editor.initialize()).rejects.toMatchObject({ code: -32600 })
  expect(await editor.newSession({ cwd: '/' })).toHaveProperty('sessionId')
})

test('a burst sent before any answer is served in order', async () => {
  await using editor = openAcpInProcess()
  const initialized = editor.initialize()
  const opened = editor.newSession({ cwd: '/' })
  await initialized
  expect(await opened).toHaveProperty('sessionId')
})

test('authenticate is harmless and can be repeated; an unknown method is refused', async () => {
  await using editor = openAcpInProcess()
  await editor.initialize()
  expect(await editor.request('authenticate', { methodId: 'environment' })).toEqual({})
  expect(await editor.request('authenticate', { methodId: 'environment' })).toEqual({})
  await expect(editor.request('authenticate', { methodId: 'nope' })).rejects.toMatchObject({ code: -32602 })
})

test('after logout sessions and prompts need authentication again', async () => {
  await using editor = openAcpInProcess()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  expect(await editor.request('logout', {})).toEqual({})
  await expect(editor.newSession({ cwd: '/' })).rejects.toMatchObject({ code: -32000 })
  await expect(editor.prompt(sessionId, 'hi')).rejects.toMatchObject({ code: -32000 })
  await editor.request('authenticate', { methodId: 'environment' })
  expect(await editor.prompt(sessionId, '/tools')).toEqual({ stopReason: 'end_turn' })
})
