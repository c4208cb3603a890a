import { expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'

const kibibyte = 1_024

/** The descriptions in a schema, at any depth. */
function prose(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'description' && typeof inner === 'string' ? [inner] : prose(inner)))
}

test('the built-in instructions and tools are short', async () => {
  await using lab = await openSessionLab()
  const capabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {} } }
  await using editor = await lab.open({ capabilities })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'hello')
  const [request] = lab.model.requests
  expect(request?.tools.length).toBeGreaterThan(10)
  const system = request?.system.length ?? 0
  // What there is to read, and the whole of it with the syntax of the schemas.
  expect(system + prose(request?.tools).join('').length).toBeLessThan(5 * kibibyte)
  expect(system + JSON.stringify(request?.tools).length).toBeLessThan(8.5 * kibibyte)
})
