import { join } from 'node:path'
import type { SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { openAcpInProcess, openAcpProcess } from '../support/acp-harness.ts'
import { everythingServer, openScriptedSession, sumServer } from '../support/acp-scripted.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** Habits of clients, which the protocol allows or nearly allows. docs/editors.md lists them. */

test('JetBrains sends back every setting before each prompt: nothing changes, and nothing is announced', async () => {
  await using editor = openAcpInProcess()
  await editor.initialize()
  const { sessionId, configOptions = [] } = await editor.newSession({ cwd: '/' })
  for (const prompt of ['one', 'two']) {
    for (const option of configOptions ?? []) {
      const echo = {
        sessionId,
        configId: option.id,
        value: option.currentValue,
        ...(option.type === 'boolean' && { type: 'boolean' }),
      }
      expect(await editor.request('session/set_config_option', echo)).toEqual({ configOptions })
    }
    expect(await editor.prompt(sessionId, prompt)).toEqual({ stopReason: 'end_turn' })
  }
  expect((configOptions as readonly SessionConfigOption[]).length).toBeGreaterThan(0)
  expect(kindsOf(editor.updates(sessionId))).not.toContain('config_option_update')
})

test.each([
  ['marimo', { fs: { readTextFile: true, writeTextFile: true } }, []],
  ['CodeCompanion', { fs: { readTextFile: true, writeTextFile: true } }, [sumServer()]],
])('%s authenticates with the first method without being asked', async (_, capabilities, mcpServers) => {
  await using editor = openAcpInProcess({ capabilities })
  const { authMethods = [] } = await editor.initialize()
  const methodId = authMethods?.[0]?.id
  expect(await editor.request('authenticate', { methodId })).toEqual({})
  const { sessionId } = await editor.newSession({ cwd: '/', mcpServers })
  expect(await editor.request('authenticate', { methodId })).toEqual({})
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
})

test('avante starts it with PATH alone, and loads sessions without servers', async () => {
  await using dir = await openTempDir()
  // An empty HOME counts as none.
  await using editor = await openAcpProcess({ env: { HOME: '' }, args: ['--state-dir', dir.path] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home, mcpServers: [sumServer()] })
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
  await editor.request('session/close', { sessionId })
  await editor.request('session/load', { sessionId, cwd: editor.home, mcpServers: [] })
  expect(await editor.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
})

test('Emacs treats every line on standard error as an error: Ostler writes nothing there, although one server does and another does not start', async () => {
  // As `ostler editor emacs` registers it.
  await using editor = await openAcpProcess({ args: ['--log-level', 'error'] })
  await editor.initialize()
  const missing = { name: 'missing', command: join(editor.home, 'no-such-program'), args: [], env: [] }
  const { sessionId } = await editor.newSession({
    cwd: editor.home,
    mcpServers: [everythingServer(), missing],
  })
  expect(await editor.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
  await editor.request('session/close', { sessionId })
  editor.closeInput()
  expect(await editor.exit).toMatchObject({ code: 0 })
  expect(editor.stderr()).toBe('')
})

test('Toad shows an update of an unknown call as "Tool call": each call is announced before its updates', async () => {
  const script = ({ messages }: ModelRequest): Reply =>
    messages.at(-1)?.parts.some(({ type }) => type === 'tool_result')
      ? { text: 'done' }
      : { toolCalls: [1, 2].map((a) => ({ name: 'sums__add', args: { a, b: 1 } })) }
  await using session = await openScriptedSession({ script, mcpServers: [sumServer()] })
  const { editor, sessionId } = session
  await editor.prompt(sessionId, 'go')
  const announced = new Set<string>()
  let updates = 0
  for (const update of editor.updates(sessionId)) {
    if (update.sessionUpdate === 'tool_call') announced.add(update.toolCallId)
    if (update.sessionUpdate !== 'tool_call_update') continue
    updates++
    expect(announced).toContain(update.toolCallId)
  }
  expect({ calls: announced.size, hasUpdates: updates > 0 }).toEqual({ calls: 2, hasUpdates: true })
})

function kindsOf(updates: readonly SessionUpdate[]): readonly string[] {
  return updates.map(({ sessionUpdate }) => sessionUpdate)
}
