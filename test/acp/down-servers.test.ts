import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entryOf, openAgentLab } from '../support/agent-lab.ts'
import { until } from '../support/processes.ts'
import { offeredIn as offered } from '../support/offered-tools.ts'

/** A server that is down until its script is created. */
async function openLab() {
  const lab = await openAgentLab()
  await lab.offer('late', ['one'])
  const { args } = lab.command('late')
  const [fixture = '', list = ''] = args
  const script = join(lab.path, 'late-server.mjs')
  return {
    lab,
    entry: entryOf(lab, 'late', { retryAttempts: 0, args: [script, list] }),
    start: () => copyFile(fixture, script),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

it("the next session finds an agent's server that was down", async () => {
  await using down = await openLab()
  const { lab } = down
  await lab.writeAgentFile({ mcpServers: { late: down.entry } })
  await using editor = await lab.open()
  await editor.initialize()
  const first = await editor.newSession({ cwd: lab.path })
  await editor.prompt(first.sessionId, 'go')
  expect(offered(lab)).toEqual([])
  await down.start()
  // A session right after a failure does not start another attempt.
  await until('a session that finds it', async () => {
    const next = await editor.newSession({ cwd: lab.path })
    await editor.prompt(next.sessionId, 'go')
    return offered(lab).length > 0
  })
  expect(offered(lab)).toEqual(['late__one'])
  await editor.prompt(first.sessionId, 'go on')
  expect(offered(lab)).toEqual(['late__one'])
})

it.each([
  ['the agent', '/mcp reconnect'],
  ['the editor', '/mcp reconnect late'],
])('a server of %s that was down is found at %s', async (owner, command) => {
  await using down = await openLab()
  const { lab } = down
  const { args } = down.entry
  await lab.writeAgentFile({ mcpServers: owner === 'the agent' ? { late: down.entry } : {} })
  await using editor = await lab.open()
  await editor.initialize()
  const mcpServers =
    owner === 'the editor' ? [{ name: 'late', command: process.execPath, args, env: [] }] : []
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  await editor.prompt(sessionId, command)
  expect(editor.text(sessionId)).toContain('- **late**: failed: the server exited with code 1')
  await down.start()
  await editor.prompt(sessionId, command)
  expect(editor.text(sessionId)).toMatch(/- \*\*late\*\*: connected, 1 tool \(\d+ tokens\)$/)
})
