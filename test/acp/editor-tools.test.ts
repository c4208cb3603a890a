import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClientCapabilities } from '@agentclientprotocol/sdk'
import { builtinToolNames } from '@ostler/agent-api'
import { expect, test } from 'vitest'
import { editorToolNames } from '../../packages/acp-server/src/editor-tools/editor-tool-names.ts'
import { neverAnswer } from '../support/acp-harness.ts'
import { createEditorServices, type EditorServices } from '../support/acp-editor-tools.ts'
import { openScriptedSession, type ScriptedSession } from '../support/acp-scripted.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const everything: ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }

/** A scripted call of one tool. A test sets the arguments once it knows its directory. */
interface Call {
  name: string
  args: unknown
}

async function openSession(
  services: EditorServices,
  capabilities = everything,
): Promise<ScriptedSession & { readonly call: (name: string, args: unknown) => Promise<string> }> {
  const next: Call = { name: '', args: {} }
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result' ? { text: 'done' } : { toolCalls: [next] }
  const session = await openScriptedSession({ script, capabilities, handlers: services.handlers })
  return {
    ...session,
    /** Returns what the model reads of the call. */
    async call(name, args) {
      Object.assign(next, { name, args })
      await session.editor.prompt(session.sessionId, 'go')
      const results = session.model.requests
        .at(-1)
        ?.messages.flatMap(({ parts }) => parts)
        .filter((part) => part.type === 'tool_result')
      return results?.at(-1)?.text ?? 'no result'
    },
  }
}

test.each<[string, ClientCapabilities, string[]]>([
  ['nothing', {}, []],
  ['files', { fs: { readTextFile: true, writeTextFile: true } }, []],
  ['terminals', { terminal: true }, ['run_command']],
  ['forms', { elicitation: { form: {} } }, ['ask_person']],
  ['everything', { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {} } }, [...editorToolNames]],
  ['links', { elicitation: { url: {} } }, []],
])('an editor that can do %s has the built-in tools, and its own', async (_, capabilities, names) => {
  await using session = await openScriptedSession({ script: [{ text: 'hi' }], capabilities })
  await session.editor.prompt(session.sessionId, 'hi')
  expect(session.model.requests[0]?.tools.map(({ name }) => name)).toEqual([...builtinToolNames, ...names])
})

test('run_command does not start outside the directories of the session, by name or by link', async () => {
  await using services = createEditorServices()
  await using outside = await openTempDir()
  await using session = await openSession(services)
  await symlink(outside.path, join(session.cwd, 'link'))
  for (const cwd of [outside.path, 'link', '..', `${session.cwd}-sibling/x`, dirname(session.cwd), 'a\0b']) {
    expect(await session.call('run_command', { command: 'true', cwd })).toContain('outside the directories of this session')
  }
  expect(services.calls).toEqual([])
})

test('run_command shows its terminal before waiting, returns output and exit code, and releases it', async () => {
  await using services = createEditorServices()
  await using session = await openSession(services)
  const { editor, sessionId } = session
  await mkdir(join(session.cwd, 'sub'))
  const args = { command: 'sh', args: ['-c', 'echo out; echo "$GREETING" >&2; pwd; exit 3'], cwd: 'sub', env: { GREETING: 'hello' } }
  const result = await session.call('run_command', args)
  for (const part of ['out', 'hello', join(session.cwd, 'sub'), 'exit code 3']) expect(result).toContain(part)
  expect(services.calls).toEqual(['terminal/create', 'terminal/wait_for_exit', 'terminal/output', 'terminal/release'])
  expect(services.open.size).toBe(0)
  expect(services.created[0]).toMatchObject({ cwd: join(session.cwd, 'sub'), outputByteLimit: expect.any(Number) })
  const shown = editor.received().findIndex(({ params }) => JSON.stringify(params ?? '').includes('"type":"terminal"'))
  const released = editor.received().findIndex(({ method }) => method === 'terminal/release')
  expect(shown).toBeGreaterThan(-1)
  expect(shown).toBeLessThan(released)
  expect(editor.updates(sessionId)).toContainEqual(
    expect.objectContaining({
      sessionUpdate: 'tool_call_update',
      status: 'failed',
      content: [{ type: 'terminal', terminalId: 'terminal-1' }],
    }),
  )
})

test('a missing program is a result, not an error', async () => {
  await using services = createEditorServices()
  await using session = await openSession(services)
  expect(await session.call('run_command', { command: '/no/such/program' })).toContain('127')
  expect(services.open.size).toBe(0)
})

test('a cancelled command is killed and its terminal released', async () => {
  await using services = createEditorServices()
  await using session = await openSession(services)
  const { editor, sessionId } = session
  const called = session.call('run_command', { command: 'sleep', args: ['300'] })
  await until('the command to run', () => services.calls.includes('terminal/wait_for_exit'))
  editor.notify('session/cancel', { sessionId })
  await called
  await until('the terminal to be released', () => services.open.size === 0)
  expect(services.calls).toContain('terminal/kill')
})

test('a terminal created after the cancellation is released, too', async () => {
  await using services = createEditorServices()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const create = services.handlers['terminal/create']
  const handlers = {
    ...services.handlers,
    'terminal/create': async (params: unknown, id: string | number | null) => held.then(() => create?.(params, id)),
  }
  await using session = await openSession({ ...services, handlers })
  const { editor, sessionId } = session
  const called = session.call('run_command', { command: 'sleep', args: ['300'] })
  await editor.waitFor(({ method }) => method === 'terminal/create')
  editor.notify('session/cancel', { sessionId })
  await called
  release()
  await until('the terminal to come and go', () => services.calls.includes('terminal/release') && services.open.size === 0)
})

test('an unresponsive editor does not hold up a cancelled turn', async () => {
  await using services = createEditorServices()
  const handlers = { 'fs/read_text_file': () => neverAnswer, 'terminal/create': () => neverAnswer }
  await using session = await openSession({ ...services, handlers })
  const { editor, sessionId } = session
  for (const [tool, method, args] of [['run_command', 'terminal/create', { command: 'true' }]] as const) {
    const called = session.call(tool, args)
    await editor.waitFor((message) => message.method === method)
    editor.notify('session/cancel', { sessionId })
    await expect(called).resolves.toEqual(expect.any(String))
  }
})
