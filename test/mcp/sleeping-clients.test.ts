import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../packages/agent-api/src/base/logger.ts'
import type { McpClient, McpHost } from '../../packages/agent-api/src/mcp/mcp-client.ts'
import { openMcpClient } from '../../packages/agent-api/src/mcp/open-mcp-client.ts'
import type { McpServerConfig, StdioServerConfig } from '../../packages/agent-api/src/mcp/server-config.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { callText, fixturePath, nodeServer } from '../support/mcp-clients.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { quickTiming } from '../support/quick-timing.ts'
import { openTempDir } from '../support/temp-dir.ts'

const signal = AbortSignal.timeout(60_000)
const rich = nodeServer([fixturePath('rich-server.mjs')])
const logging = nodeServer([fixturePath('logging-server.mjs')])

/** Answers a call, and then asks the model: in one write, so that no pause lies between them in which it would be at rest. */
const asking = nodeServer([
  '-e',
  `const send = (...messages) => console.log(messages.map((each) => JSON.stringify({ jsonrpc: '2.0', ...each })).join('\\n'))
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined || method === undefined) return
    const { protocolVersion } = params ?? {}
    const serverInfo = { name: 'asking', version: '1' }
    if (method === 'initialize') return send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
    if (method === 'tools/list') return send({ id, result: { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] } })
    const messages = [{ role: 'user', content: { type: 'text', text: 'think' } }]
    if (method === 'tools/call') send(
      { id, result: { content: [{ type: 'text', text: 'asked' }] } },
      { id: 'ask', method: 'sampling/createMessage', params: { messages, maxTokens: 9 } },
    )
  })`,
])

interface Sleep {
  readonly idleMs?: number
  readonly host?: Partial<McpHost>
  readonly startsOnUse?: boolean
}

function openSleeper(
  config: McpServerConfig,
  { idleMs = 50, host = {}, startsOnUse = false }: Sleep = {},
): McpClient {
  return openMcpClient({
    config,
    host: { cwd: process.cwd(), roots: [], ...host },
    logger: silentLogger,
    redactor: createRedactor(),
    timing: quickTiming,
    startsOnUse,
    idleMs,
  })
}

async function openSleepy(config: McpServerConfig, sleep?: Sleep): Promise<McpClient> {
  const client = openSleeper(config, sleep)
  await client.use({ signal })
  return client
}

const asleep = (client: McpClient) => until('the end of the server', () => client.status.state === 'idle')

/** A client that may sleep would do so before another one, whose time is longer and begins later. */
async function muchLater(): Promise<void> {
  await using other = await openSleepy(nodeServer([fixturePath('sum-server.mjs')]), { idleMs: 300 })
  await asleep(other)
}

describe('a server that nobody uses sleeps', () => {
  test('and wakes for a call, a prompt, a completion and a resource', async () => {
    await using server = await openSleepy(logging)
    await using files = await openSleepy(rich)
    const uses: readonly [McpClient, () => Promise<unknown>][] = [
      [server, () => callText(server, 'level')],
      [server, () => server.getPrompt('greet', { name: 'you', tone: 'warm' }, { signal })],
      [
        server,
        () => server.complete({ prompt: 'greet', argument: 'tone', value: '', known: {} }, { signal }),
      ],
      [files, () => files.listResources({ signal })],
      [files, () => files.readResource('note://today', { signal })],
    ]
    for (const [client, use] of uses) {
      await asleep(client)
      const { tools, instructions, hasResources } = client
      expect(client.isAnticipated).toBe(true)
      await use().catch((error: unknown) => expect(error).toMatchObject({ code: 'mcp.call_failed' }))
      expect(client.status.state).toBe('connected')
      expect({
        tools: client.tools,
        instructions: client.instructions,
        hasResources: client.hasResources,
      }).toEqual({
        tools,
        instructions,
        hasResources,
      })
    }
  })

  test('but not while its log is followed', async () => {
    await using client = await openSleepy(logging)
    await client.serverLog.setLevel('debug', { signal })
    await muchLater()
    expect(client.status.state).toBe('connected')
    await client.serverLog.setLevel('warning', { signal })
    await asleep(client)
  })

  test('but not while one of its resources is subscribed to', async () => {
    await using client = await openSleepy(rich)
    client.watchResource('note://today')
    await muchLater()
    expect(client.status.state).toBe('connected')
    client.unwatchResource('note://today')
    await asleep(client)
  })

  test('but not during a call', async () => {
    await using client = await openSleepy(
      nodeServer([fixturePath('fading-server.mjs'), 'stdio', '/dev/null']),
    )
    const called = callText(client, 'wait', { ms: 600 })
    expect(await called).toBe('waited')
    expect(client.status.state).toBe('connected')
    await asleep(client)
  })

  test('but not while it asks the model', async () => {
    const answer = Promise.withResolvers<{ model: string; text: string; stopReason: 'endTurn' }>()
    await using client = await openSleepy(asking, { host: { sample: () => answer.promise } })
    expect(await callText(client, 'ask')).toBe('asked')
    await muchLater()
    expect(client.status.state).toBe('connected')
    answer.resolve({ model: 'm', text: 'thought', stopReason: 'endTurn' })
    await asleep(client)
  })
})

test('a start that the person wants goes on without the call that waits for it', async () => {
  const prepared = Promise.withResolvers<StdioServerConfig>()
  const host = { prepareStart: () => prepared.promise }
  await using client = openSleeper(rich, { host, startsOnUse: true, idleMs: 60_000 })
  const stop = new AbortController()
  const used = client.use({ signal: stop.signal })
  const wanted = client.reconnect()
  stop.abort()
  await expect(used).rejects.toMatchObject({ code: 'mcp.cancelled' })
  prepared.resolve(rich)
  await wanted
  expect(client.status.state).toBe('connected')
})

test('a server with a subscription is restored without the call that waits for it', async () => {
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const host = {
    async prepareStart(config: StdioServerConfig) {
      await starts.shift()?.promise
      return config
    },
  }
  starts[0]?.resolve()
  const [, second] = starts
  await using dir = await openTempDir()
  const log = join(dir.path, 'log')
  const server = nodeServer([fixturePath('rich-server.mjs'), log])
  await using client = await openSleepy(server, { host, startsOnUse: true })
  client.watchResource('note://today')
  const stop = new AbortController()
  for (const pid of await processesWithArgument(log)) process.kill(pid)
  await until('the end of the server', () => client.status.state !== 'connected')
  const used = client.use({ signal: stop.signal })
  stop.abort()
  await expect(used).rejects.toMatchObject({ code: 'mcp.cancelled' })
  second?.resolve()
  await until('the server', () => client.status.state === 'connected')
})

test('a start that takes too long fails with the last words of the server', async () => {
  const config = {
    ...rich,
    command: 'sh',
    args: ['-c', 'echo no index yet >&2; cat > /dev/null'],
    connectTimeoutMs: 1_000,
  }
  await using client = openSleeper(config, { startsOnUse: true })
  await expect(client.use({ signal })).rejects.toMatchObject({
    code: 'mcp.connect_timeout',
    message: 'did not answer within 1 s\nno index yet',
  })
})

test('what prepares a start is given up with the last who waits for it, and with the client', async () => {
  const prepared = Promise.withResolvers<StdioServerConfig>()
  const host = { prepareStart: () => prepared.promise }
  await using client = openSleeper(rich, { host, startsOnUse: true })
  const stop = new AbortController()
  const used = client.use({ signal: stop.signal })
  expect(client.status.state).toBe('connecting')
  stop.abort()
  await expect(used).rejects.toMatchObject({ code: 'mcp.cancelled' })
  await asleep(client)
  const again = client.use({ signal }).catch((error: unknown) => error)
  await client[Symbol.asyncDispose]()
  expect(await again).toMatchObject({ code: 'mcp.disposed' })
})

test('a server that was reached by the newer revision is reached by it at once when it wakes', async () => {
  await using dir = await openTempDir()
  const starts = join(dir.path, 'starts')
  const line = `echo start >> ${starts}; exec ${process.execPath} ${fixturePath('modern-server.mjs')} stdio`
  await using client = await openSleepy({ ...nodeServer([]), command: 'sh', args: ['-c', line] })
  const count = async () => (await readFile(starts, 'utf8')).trim().split('\n').length
  // The older revision is tried first if nothing is known.
  expect(await count()).toBe(2)
  await asleep(client)
  await client.use({ signal })
  expect(await count()).toBe(3)
})
