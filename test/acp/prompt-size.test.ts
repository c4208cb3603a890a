import { expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'

test('the built-in instructions and tools are short', async () => {
  await using lab = await openSessionLab()
  await using editor = await lab.open({
    capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {} } },
  })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'hello')
  const [request] = lab.model.requests
  const tools = JSON.stringify(request?.tools).length
  const system = request?.system.length ?? 0
  expect(tools + system).toBeLessThan(9_000)
})
