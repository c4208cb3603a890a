import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServerService } from '../../packages/workbench/src/index.ts'
import { fixtureServer } from '../support/agent-files.ts'
import type { AcpPeer } from '../support/acp-harness.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import { logInWith, startLoginServer } from '../support/login-lab.ts'
import { until } from '../support/processes.ts'

const logging = {
  name: 'work',
  command: process.execPath,
  args: [fixtureServer('logging-server.mjs')],
  env: [],
}
const noticing = { capabilities: { session: { notices: {} } } }

type Notice = Extract<SessionUpdate, { sessionUpdate: 'notice' }>
const noticesOf = (editor: AcpPeer, sessionId: string) =>
  editor.updates(sessionId).filter((update): update is Notice => update.sessionUpdate === 'notice')
const titlesOf = (editor: AcpPeer, sessionId: string) =>
  noticesOf(editor, sessionId).map(({ title }) => title)

/** The model calls a tool that ends the server. */
const ending = () =>
  openAgentLab(({ messages }) => {
    const said = JSON.stringify(messages.at(-1))
    return said.includes('end it') && !said.includes('tool_result')
      ? { toolCalls: [{ name: 'work__exit', args: {} }] }
      : { text: 'ok' }
  })

test('the crash of a server and its return are reported in a notice, each once', async () => {
  await using lab = await ending()
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  await using editor = await lab.open(noticing)
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [logging] })
  await until('the first notice', () => titlesOf(editor, sessionId).length === 1)
  await editor.prompt(sessionId, 'end it')
  await until('both notices', () => titlesOf(editor, sessionId).length >= 3)
  await editor.prompt(sessionId, 'and now?')
  expect(titlesOf(editor, sessionId)).toEqual([
    '1 MCP server connected, 5 tools',
    'MCP server "work" is not available',
    'MCP server "work" is connected',
  ])
  expect(noticesOf(editor, sessionId)[1]?.description).toContain('the server exited with code 7')
})

test('an editor without notices reads both in the next reports', async () => {
  await using lab = await ending()
  await lab.writeAgentFile({ approval: { mode: 'auto' }, mcpServers: {} })
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ ...logging, command: join(lab.path, 'not-there-yet') }],
  })
  await editor.prompt(sessionId, 'hello')
  expect(editor.text(sessionId)).toContain('> MCP server "work" is not available: command not found')
  await symlink(process.execPath, join(lab.path, 'not-there-yet'))
  await editor.prompt(sessionId, '/mcp reconnect work')
  const before = editor.text(sessionId).length
  await editor.prompt(sessionId, 'hello')
  await editor.prompt(sessionId, 'hello')
  expect(
    editor
      .text(sessionId)
      .slice(before)
      .match(/is connected\./g),
  ).toHaveLength(1)
})

test('a login that has ended is reported in a notice', async () => {
  await using server = await startLoginServer()
  await using lab = await openAgentLab(({ messages }) =>
    messages.length === 1 ? { toolCalls: [{ name: 'web__echo', args: {} }] } : { text: 'ok' },
  )
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  const stateDir = join(lab.path, 'state')
  await using editor = await lab.open(noticing)
  {
    await using service = await openServerService({ stateDir, env: {}, secretStore: 'file' })
    await logInWith(service, server.mcp)
  }
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: [{ type: 'http', name: 'web', url: server.mcp, headers: [] }],
  })
  await until('the first notice', () => titlesOf(editor, sessionId).length === 1)
  await server.control('forget')
  await editor.prompt(sessionId, 'go')
  await until('the notice', () => titlesOf(editor, sessionId).length >= 2)
  expect(noticesOf(editor, sessionId)[1]).toMatchObject({
    title: 'MCP server "web" is not available',
    description: `It needs a login. Run: ostler mcp login ${server.mcp}`,
  })
})

test('a person reads the log of a server, and sets its level', async () => {
  await using lab = await openAgentLab(({ messages, tools }) => {
    const said = JSON.stringify(messages.at(-1))
    const args = { level: 'info', logger: 'db', data: 'slow ```query```' }
    if (said.includes('log it') && !said.includes('tool_result'))
      return { toolCalls: [{ name: 'work__log', args }] }
    return { text: `${tools.filter(({ name }) => name.startsWith('work')).length} tools` }
  })
  await lab.writeAgentFile({ approval: { mode: 'auto' } })
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [logging] })
  const ask = async (prompt: string) => {
    const before = editor.text(sessionId).length
    await editor.prompt(sessionId, prompt)
    return editor.text(sessionId).slice(before)
  }
  expect(await ask('log it')).toBe('5 tools')
  expect(await ask('/mcp log work')).toBe("The MCP server 'work' has logged nothing from level `warning` on.")
  expect(await ask('/mcp log work info')).toBe("The MCP server 'work' logs messages from level `info` on.")
  await ask('log it')
  expect(await ask('/mcp log work')).toMatch(
    /^The log of 'work', from level `info` on:\n\n````\n[\d:]{8} info db: slow ```query```\n````$/,
  )
  expect(await ask('/mcp')).toMatch(
    /- \*\*work\*\*: connected, 5 tools \(\d+ tokens\); 1 message logged: `\/mcp log work`/,
  )
})
