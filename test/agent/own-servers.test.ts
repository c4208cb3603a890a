import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAgent } from '../../packages/agent-api/src/index.ts'
import { fixturePath, nodeServer } from '../support/mcp-clients.ts'
import { openTempDir } from '../support/temp-dir.ts'

it("the agent's own servers start in its folder", async () => {
  await using dir = await openTempDir()
  await writeFile(join(dir.path, 'tools.json'), '[{ "name": "here" }]')
  const config = { ...nodeServer([fixturePath('changing-server.mjs'), 'tools.json']), name: 'own' }
  await using agent = createAgent({
    model: 'offline',
    env: {},
    cwd: dir.path,
    mcpServers: [{ config, mode: 'dynamic', defaultToolConfig: {} }],
  })
  await using session = agent.createSession({ cwd: '/' })
  await session.serversSettled
  expect(session.serverReport().connected).toEqual([{ server: 'own', tools: 1 }])
})

it('a dynamic server of a program needs its defaults, also if it is added later', async () => {
  const server = { config: { ...nodeServer([]), name: 'own' }, mode: 'dynamic' } as const
  const reason =
    "MCP server 'own' is configured with mode='dynamic' but missing required field 'defaultToolConfig'"
  expect(() => createAgent({ model: 'offline', env: {}, mcpServers: [server] })).toThrow(reason)
  await using agent = createAgent({ model: 'offline', env: {} })
  expect(() => agent.addedServers.add(server)).toThrow(reason)
})
