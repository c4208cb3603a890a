import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AcpInProcess } from '../support/acp-harness.ts'
import { openSessionLab, type SessionLab } from '../support/acp-sessions.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { until } from '../support/processes.ts'

/** A session right after such an answer, and a server with prompts that connects when the test wants it to. */
async function openQuietSession(lab: SessionLab, answer: 'session/load' | 'cancelled', quietMs: number) {
  const gate = join(lab.path, 'gate')
  const args = [
    '-c',
    'until [ -e "$0" ]; do sleep 0.05; done; exec "$@"',
    gate,
    process.execPath,
    fixturePath('library-server.mjs'),
  ]
  const params = { cwd: lab.path, mcpServers: [{ name: 'library', command: 'sh', args, env: [] }] }
  const editor = await lab.open({
    quietMs,
    capabilities: { session: { notices: {} } },
    agent: { connectWaitMs: 1 },
  })
  const { sessionId } = await editor.newSession(answer === 'cancelled' ? params : { cwd: lab.path })
  await editor.waitForUpdate(sessionId, 'available_commands_update')
  if (answer === 'cancelled') {
    const prompt = editor.prompt(sessionId, 'go')
    await editor.waitForUpdate(sessionId, 'agent_message_chunk')
    editor.notify('session/cancel', { sessionId })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
  } else {
    await editor.request('session/load', { sessionId, ...params })
  }
  return { editor, sessionId, before: editor.updates(sessionId).length, openGate: () => writeFile(gate, '') }
}

const hasConnected = (lab: SessionLab) => () =>
  lab.history.presence.servers().some(({ name, status }) => name === 'library' && status === 'connected')
const isAboutLibrary = ({ availableCommands }: { availableCommands: readonly { name: string }[] }) =>
  availableCommands.some(({ name }) => name === 'library:greet')

test.each(['session/load', 'cancelled'] as const)(
  'after the answer %s, changes are sent once the time is over',
  async (answer) => {
    await using lab = await openSessionLab(() => ({ hang: 'after_text', text: 'so ' }))
    const { editor, sessionId, openGate } = await openQuietSession(lab, answer, 1)
    await using _editor: AcpInProcess = editor
    await openGate()
    expect(await editor.waitForUpdate(sessionId, 'available_commands_update', isAboutLibrary)).toBeDefined()
  },
)

test.each(['session/load', 'cancelled'] as const)(
  'after the answer %s nothing is sent until the next request',
  async (answer) => {
    await using lab = await openSessionLab(() => ({ hang: 'after_text', text: 'so ' }))
    const { editor, sessionId, before, openGate } = await openQuietSession(lab, answer, 60_000)
    await using _editor: AcpInProcess = editor
    await openGate()
    await until('the connection', hasConnected(lab))
    // A notification is not a request.
    editor.notify('session/cancel', { sessionId })
    await editor.request('authenticate', { methodId: 'environment' })
    expect(editor.updates(sessionId).slice(before)).toEqual([])
    await editor.request('session/set_mode', { sessionId, modeId: 'auto' })
    await editor.request('authenticate', { methodId: 'environment' })
    const kinds = editor
      .updates(sessionId)
      .slice(before)
      .map(({ sessionUpdate }) => sessionUpdate)
    expect(kinds).toContain('available_commands_update')
    expect(kinds.filter((kind) => kind === 'notice')).toHaveLength(answer === 'cancelled' ? 1 : 0)
  },
)
