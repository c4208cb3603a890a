import { createLockedClients } from '../../../packages/agent-api/src/session/locked-clients.ts'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { McpClient } from '../../../packages/agent-api/src/mcp/mcp-client.ts'
import type { McpServerConfig } from '../../../packages/agent-api/src/mcp/server-config.ts'
import { openServerSet, type ServerSet } from '../../../packages/agent-api/src/servers/server-set.ts'
import type { Session } from '../../../packages/agent-api/src/session/session.ts'
import { createSessionMemory } from '../../../packages/agent-api/src/session/session-memory.ts'
import { waitForServers } from '../../../packages/agent-api/src/session/wait-for-servers.ts'

const minuteMs = 60_000

function clientOf(name: string, own: object): McpClient {
  const client = { name, status: { state: 'connecting', attempt: 1 }, tools: [], onChange: () => () => {} }
  return Object.defineProperties(client, Object.getOwnPropertyDescriptors(own)) as unknown as McpClient
}

function openSet(clients: readonly McpClient[]): ServerSet {
  const set = openServerSet({
    open: ({ name }) => clients.find((client) => client.name === name) as McpClient,
    configured: [],
    logger: silentLogger,
    onViolation: () => undefined,
  })
  const policy = { mode: 'dynamic', defaultToolConfig: {} } as const
  for (const { name } of clients) set.add({ name } as McpServerConfig, policy)
  return set
}

/** A session with a server that hangs, of the session or of the agent, beside a known one. A prompt waits as long as the test says. */
function openSession(owner: 'session' | 'agent') {
  const start = { current: Promise.withResolvers<void>() }
  const warmUps = { count: 0 }
  const hanging = clientOf('hanging', {
    isAnticipated: false,
    get settled() {
      return start.current.promise
    },
  })
  const known = clientOf('known', {
    isAnticipated: true,
    tools: [{ name: 'find', description: '', inputSchema: {} }],
    settled: new Promise(() => {}),
    use() {
      warmUps.count++
      return Promise.resolve()
    },
  })
  const shared = {
    servers: openSet(owner === 'agent' ? [hanging] : []),
    checked: Promise.resolve(),
    policy: {},
    connectWaitMs: 0,
  }
  const session = {
    toolbox: {
      shared,
      servers: openSet(owner === 'session' ? [hanging, known] : [known]),
      disabled: new Set(),
      locked: createLockedClients(new Set(), ({ name, config }) => ({
        owner: 'editor',
        name,
        written: config,
      })),
      off: new Set(),
      builtin: { tools: [] },
      local: () => [],
      resources: { tools: () => [] },
      waitedFor: new WeakSet(),
    },
    record: { memory: createSessionMemory('model') },
    report: () => ({ connected: [], waiting: ['hanging'], failed: [], warnings: [] }),
    logger: silentLogger,
  } as unknown as Session
  return {
    start,
    warmUps,
    async prompt(waitMs: number, signal = new AbortController().signal) {
      shared.connectWaitMs = waitMs
      await waitForServers(session, 'hello', false, () => Promise.resolve(), signal)
    },
  }
}

test.each(['session', 'agent'] as const)(
  'a later prompt does not wait again for a server of the %s that hangs, and starts no other beside it',
  async (owner) => {
    const { warmUps, prompt } = openSession(owner)
    await prompt(1)
    expect(warmUps.count).toBe(1)
    await prompt(minuteMs)
    expect(warmUps.count).toBe(1)
  },
)

test('a later prompt waits for a server that was started anew', async () => {
  const { start, prompt } = openSession('session')
  await prompt(1)
  start.current = Promise.withResolvers()
  const order: string[] = []
  const waiting = prompt(minuteMs).then(() => order.push('answered'))
  await new Promise(setImmediate)
  order.push('connected')
  start.current.resolve()
  await waiting
  expect(order).toEqual(['connected', 'answered'])
})

test('a prompt that was cancelled has not waited for the server', async () => {
  const { start, prompt } = openSession('session')
  const cancelled = new AbortController()
  const first = prompt(minuteMs, cancelled.signal)
  cancelled.abort()
  await first
  const order: string[] = []
  const waiting = prompt(minuteMs).then(() => order.push('answered'))
  await new Promise(setImmediate)
  order.push('connected')
  start.current.resolve()
  await waiting
  expect(order).toEqual(['connected', 'answered'])
})
