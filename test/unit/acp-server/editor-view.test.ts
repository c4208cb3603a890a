import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ApprovalMode } from '@ostler/agent-api'
import type { SlashCommand } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { createEditorView, toAcpCommand } from '../../../packages/acp-server/src/editor-view.ts'

/** A session whose settings the test changes, and an editor that accepts an update when the test says so. */
function openView() {
  const chat = {
    title: undefined as string | undefined,
    updatedAt: '',
    mode: 'always-ask' as ApprovalMode,
    model: 'offline',
    thoughtLevel: 'default' as const,
    commands: [] as SlashCommand[],
  }
  const sent: SessionUpdate['sessionUpdate'][] = []
  const takers: (() => void)[] = []
  const send = ({ sessionUpdate }: SessionUpdate) => {
    sent.push(sessionUpdate)
    return new Promise<void>((resolve) => takers.push(resolve))
  }
  const view = createEditorView({
    chat,
    modes: () => ['always-ask', 'auto'],
    models: () => [{ id: 'offline', name: 'Offline' }],
    thoughtLevelsOf: () => [],
    send,
  })
  const take = async () => {
    takers.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { chat, view, sent, take }
}

test('changes accumulate while the editor is slow, and synced waits for the last of them', async () => {
  const { chat, view, sent, take } = openView()
  view.sync()
  chat.mode = 'auto'
  view.sync()
  let synced = false
  const waiting = view.synced().then(() => (synced = true))
  for (const expected of [
    ['available_commands_update'],
    ['available_commands_update', 'current_mode_update'],
    ['available_commands_update', 'current_mode_update', 'config_option_update'],
  ]) {
    expect(sent).toEqual(expected)
    expect(synced).toBe(false)
    await take()
  }
  await waiting
  view.sync()
  await view.synced()
  expect(sent).toHaveLength(3)
})

test('an editor that is gone does not block synced', async () => {
  const { chat } = openView()
  const view = createEditorView({
    chat,
    modes: () => [],
    models: () => [],
    thoughtLevelsOf: () => [],
    send: () => Promise.reject(new Error('gone')),
  })
  view.sync()
  await expect(view.synced()).resolves.toBeUndefined()
})

const icon = { src: 'data:image/png;base64,AAAA' }

test.each([
  [{}, {}],
  [{ hint: 'word' }, { input: { hint: 'word' } }],
  [{ icons: [] }, {}],
  [{ icons: [icon] }, { _meta: { 'ostler/icons': [icon] } }],
])('a command with %j', (given, expected) => {
  const base = { name: 'greet', description: 'Greets' }
  expect(toAcpCommand({ ...base, ...given })).toEqual({ ...base, ...expected })
})
