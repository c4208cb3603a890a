import { expect, test } from 'vitest'
import { openAcpInProcess } from '../support/acp-harness.ts'
import { openScriptedSession } from '../support/acp-scripted.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { selectPermission } from '../support/acp-peer.ts'
import { openTempDir } from '../support/temp-dir.ts'

const address = 'https://example.com/pixel.png?d=all-I-know'
const picture = `![a picture](${address})`
const shown = String.raw`!\[a picture](${address})`
const script = [
  {
    text: ['Look: !', '[a pic', 'ture](htt', `${picture.slice(16)} Good?`],
    toolCalls: [{ name: 'plain__echo', args: { message: picture } }],
  },
  { text: 'done' },
]
const echoServer = {
  name: 'plain',
  command: process.execPath,
  args: [fixturePath('faulty-server.mjs'), 'none'],
  env: [],
}
const handlers = { 'session/request_permission': selectPermission('allow_once') }

test("an image that a model or a tool refers to is shown as text, and the model reads the tool's text", async () => {
  await using session = await openScriptedSession({ script, mcpServers: [echoServer], handlers })
  const { editor, model, sessionId } = session
  await editor.prompt(sessionId, 'go')
  expect(editor.text(sessionId)).toBe(`Look: ${shown} Good?done`)
  const result = editor.updates(sessionId).findLast((update) => update.sessionUpdate === 'tool_call_update')
  expect(result).toMatchObject({
    status: 'completed',
    content: [{ content: { type: 'text', text: `Echo: ${shown}` } }],
    rawOutput: `Echo: ${shown}`,
  })
  const read = model.requests[1]?.messages
    .flatMap(({ parts }) => parts)
    .find((part) => part.type === 'tool_result')
  expect(read).toMatchObject({ text: `Echo: ${picture}` })
})

test('it is shown as an image if the agent file allows it', async () => {
  await using dir = await openTempDir()
  await using model = await startLoopbackModel({ vendor: 'anthropic', script })
  await using editor = openAcpInProcess({
    agent: { model: model.modelId, env: model.env, remoteImages: 'show' },
    handlers,
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: dir.path, mcpServers: [echoServer] })
  await editor.prompt(sessionId, 'go')
  expect(editor.text(sessionId)).toBe(`Look: ${picture} Good?done`)
  expect(JSON.stringify(editor.updates(sessionId))).toContain(`Echo: ${picture}`)
})
