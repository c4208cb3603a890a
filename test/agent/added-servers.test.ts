import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createAgent, OstlerError, type AgentServer } from '../../packages/agent-api/src/index.ts'
import { fixturePath, nodeServer } from '../support/mcp-clients.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'

const server = (name: string, log: string, over: Partial<AgentServer> = {}): AgentServer => ({
  config: { ...nodeServer([fixturePath('fading-server.mjs'), 'stdio', log]), name },
  mode: 'dynamic',
  defaultToolConfig: {},
  ...over,
})

it('servers come and go for all sessions while an agent runs', async () => {
  await using dir = await openTempDir()
  const log = join(dir.path, 'log')
  await using agent = createAgent({
    model: 'offline',
    env: {},
    mcpServers: [server('own', join(dir.path, 'own'))],
  })
  await using one = agent.createSession({ cwd: dir.path })
  await using two = agent.createSession({ cwd: dir.path })
  const connected = () =>
    [one, two].map((session) => session.serverReport().connected.map((each) => each.server))
  let connections = 0
  agent.addedServers.add(server('more', log), () => connections++)
  await until('both sessions to have both', () =>
    connected().every((names) => ['own', 'more'].every((name) => names.includes(name))),
  )
  expect(connections).toBe(1)
  expect(() => agent.addedServers.add(server('more', log))).toThrow(OstlerError)
  expect(() => agent.addedServers.add(server('own', log))).toThrow(OstlerError)

  // The agent's original servers cannot be removed.
  await agent.addedServers.remove('own')
  await agent.addedServers.remove('more')
  expect(await processesWithArgument(log)).toEqual([])
  expect(connected()).toEqual([['own'], ['own']])

  agent.addedServers.reject('more', 'its secret is locked away')
  expect(one.serverReport().failed).toEqual([{ server: 'more', reason: 'its secret is locked away' }])
  await agent.addedServers.remove('more')
  expect(two.serverReport().failed).toEqual([])
})
