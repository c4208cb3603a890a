import { expect, test } from 'vitest'
import { openScriptedSession, richServer } from '../support/acp-scripted.ts'

test('a call has the embedded icon of its tool, or that of its server, and never a remote one', async () => {
  const script = [
    { toolCalls: [{ name: 'rich__picture', args: {} }] },
    { toolCalls: [{ name: 'rich__note_blob', args: {} }] },
    { text: 'done' },
  ]
  await using session = await openScriptedSession({ script, mcpServers: [richServer()] })
  await session.editor.prompt(session.sessionId, 'go')
  const calls = session.editor
    .updates(session.sessionId)
    .filter((update) => update.sessionUpdate === 'tool_call')
  expect(calls.map(({ _meta }) => _meta?.['ostler/icons'])).toEqual([
    [{ src: expect.stringMatching(/^data:image\/png;base64,/), mimeType: 'image/png' }],
    [{ src: expect.stringMatching(/^data:image\/gif;base64,/) }],
  ])
  expect(session.editor.transcript.map(({ line }) => line).join()).not.toContain('example.com/picture.png')
})
