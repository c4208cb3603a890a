import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { until } from '../support/processes.ts'

/** Long enough to fill every pipe, and the queue of the agent. */
const pieces = Array.from({ length: 400 }, (_, index) =>
  `piece ${index} of a long answer that nobody reads for now; `.repeat(70),
)

test('an editor that reads late gets all text in order, in fewer updates, and then the response', async () => {
  await using model = await startLoopbackModel({ vendor: 'anthropic', script: [{ text: pieces }] })
  await using editor = await openAcpProcess({
    args: ['--model', model.modelId, '--log-file', 'log', '--log-level', 'debug'],
    env: model.env,
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  await editor.waitForUpdate(sessionId, 'available_commands_update')
  editor.pauseReading()
  const prompt = editor.prompt(sessionId, 'go')
  await model.waitForRequests(1)
  // Still serving: this request is answered once the editor reads again.
  const other = editor.newSession({ cwd: editor.home })
  const log = () => readFile(join(editor.home, 'log'), 'utf8')
  await until('the agent to wait for its editor', async () =>
    (await log()).includes('waiting for the editor to read'),
  )
  editor.resumeReading()
  expect(await prompt).toEqual({ stopReason: 'end_turn' })
  expect(await other).toHaveProperty('sessionId')
  expect(editor.text(sessionId)).toBe(pieces.join(''))
  const chunks = editor
    .updates(sessionId)
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  expect(chunks.length).toBeLessThan(pieces.length)
})

test('an editor that stops reading and quits leaves nothing behind', async () => {
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: [{ text: pieces, hang: 'after_text' }],
  })
  await using editor = await openAcpProcess({ args: ['--model', model.modelId], env: model.env })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  editor.pauseReading()
  void editor.prompt(sessionId, 'go').catch(() => undefined)
  await model.waitForRequests(1)
  editor.closeInput()
  await until('the process to end', () => editor.child.exitCode !== null, 5_500)
})
