import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServerService } from '../../packages/agent-api/src/manage.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import { filesOf, leaksIn } from '../support/canaries.ts'
import { logInWith, startLoginServer } from '../support/login-lab.ts'
import { until } from '../support/processes.ts'

test("an editor's server says how to log in, joins the session afterwards, and reveals its tokens nowhere", async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab(({ tools, messages }) => {
    const isAsked = messages.at(-1)?.parts.some((part) => 'text' in part && part.text.includes('go')) === true
    return isAsked && tools.length > 0 ? { toolCalls: [{ name: 'web__echo', args: { message: 'hi' } }] } : { text: 'ok' }
  })
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  const log = join(lab.path, 'log')
  const stateDir = join(lab.path, 'state')
  await using editor = await lab.start({ args: ['--log-level', 'debug', '--log-file', log] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'http', name: 'web', url: server.mcp, headers: [] }],
  })
  await editor.prompt(sessionId, 'go')
  const shown = () => editor.transcript.map(({ line }) => line).join('\n')
  expect(shown()).toContain(`It needs a login. Run: ostler mcp login ${server.mcp}`)

  await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
  // An editor's server is never written to disk.
  expect(Object.keys(await filesOf(stateDir)).filter((path) => path.includes('logins'))).toEqual([])
  await logInWith(service, server.mcp)
  await until('a request with the login', () => server.requests('/mcp').some(({ body }) => body.includes('tools/list')))
  await until('the tool', async () => {
    await editor.prompt(sessionId, 'go')
    return server.requests('/mcp').some(({ body }) => body.includes('tools/call'))
  })
  await server.control('forget')
  await editor.prompt(sessionId, 'go')
  expect(shown()).toContain('needs a login')

  const secrets = server.secrets()
  expect(Object.keys(secrets).length).toBeGreaterThan(3)
  const outputs = { transcript: shown(), stderr: editor.stderr(), log: await readFile(log, 'utf8'), ...(await filesOf(stateDir)) }
  expect(Object.keys(outputs).filter((path) => path.includes('ostler.db'))).not.toEqual([])
  expect(leaksIn(outputs, secrets)).toEqual([])
})
