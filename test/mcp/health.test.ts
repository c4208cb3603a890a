import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../packages/agent-api/src/base/logger.ts'
import type { McpClient } from '../../packages/agent-api/src/mcp/mcp-client.ts'
import { openMcpClient } from '../../packages/agent-api/src/mcp/open-mcp-client.ts'
import type { McpServerConfig } from '../../packages/agent-api/src/mcp/server-config.ts'
import type { Timing } from '../../packages/agent-api/src/base/timing.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { call, fixturePath, httpServer, nodeServer, startHttpFixture } from '../support/mcp-clients.ts'
import { until } from '../support/processes.ts'
import { quickTiming } from '../support/quick-timing.ts'
import { openTempDir } from '../support/temp-dir.ts'

const timing: Partial<Timing> = { ...quickTiming, pingEveryMs: 50, pingTimeoutMs: 300 }

async function openWatched(
  config: McpServerConfig,
): Promise<McpClient & { readonly states: readonly string[] }> {
  const host = { cwd: process.cwd(), roots: [] }
  const client = openMcpClient({ config, host, logger: silentLogger, redactor: createRedactor(), timing })
  const states: string[] = []
  client.onChange(() =>
    states.push(client.status.state === 'error' ? client.status.reason : client.status.state),
  )
  await client.settled
  expect(client.status.state).toBe('connected')
  return Object.assign(client, { states })
}

const linesOf = async (log: string, word: string) =>
  (await readFile(log, 'utf8')).split('\n').filter((line) => line === word).length

describe('a silent server', () => {
  it('is pinged repeatedly while it answers', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using client = await openWatched(nodeServer([fixturePath('fading-server.mjs'), 'stdio', log]))
    await until('five pings', async () => (await linesOf(log, 'ping')) >= 5)
    expect(client.states).toEqual(['connected'])
    expect(await linesOf(log, 'start')).toBe(1)
  })

  it('counts as alive if it does not know ping', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using client = await openWatched(
      nodeServer([fixturePath('fading-server.mjs'), 'stdio', log, 'unknown']),
    )
    await until('five pings', async () => (await linesOf(log, 'ping')) >= 5)
    expect(client.states).toEqual(['connected'])
  })

  it('is restarted over stdio when it stops answering', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using client = await openWatched(nodeServer([fixturePath('fading-server.mjs'), 'stdio', log, '2']))
    await until(
      'the second connection',
      () => client.states.filter((state) => state === 'connected').length === 2,
    )
    expect(client.states).toEqual([
      'connected',
      'the server did not answer within 0.3 s',
      'connecting',
      'connected',
    ])
    expect(await linesOf(log, 'start')).toBe(2)
    expect((await call(client, 'wait')).content).toEqual([{ type: 'text', text: 'waited' }])
  })

  it('is reconnected over HTTP when it stops answering', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using server = await startHttpFixture('fading-server.mjs', 'http', log, '2')
    await using client = await openWatched(httpServer(server.url))
    await until(
      'the second connection',
      () => client.states.filter((state) => state === 'connected').length === 2,
    )
    expect(client.states).toEqual([
      'connected',
      'the server did not answer within 0.3 s',
      'connecting',
      'connected',
    ])
  })

  it('over HTTP is reported as gone without a call', async () => {
    await using dir = await openTempDir()
    await using server = await startHttpFixture('fading-server.mjs', 'http', join(dir.path, 'log'))
    await using client = await openWatched(httpServer(server.url))
    await server.kill()
    await until('the loss', () => client.status.state !== 'connected')
    expect(client.states[1]).toMatch(/^connection (refused|lost)/)
  })

  it('is not pinged while it works', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using client = await openWatched(nodeServer([fixturePath('fading-server.mjs'), 'stdio', log]))
    expect((await call(client, 'wait', { ms: 500 })).isError).toBe(false)
    const [, during] = (await readFile(log, 'utf8')).split(/^call begins\n|^call ends\n/m)
    expect(during).toBe('')
  })

  it('is not pinged in the newest revision, which has no ping', async () => {
    await using client = await openWatched(
      nodeServer([fixturePath('modern-server.mjs'), 'stdio'], { protocol: '2026-07-28' }),
    )
    expect(client.status).toMatchObject({ server: { protocolVersion: '2026-07-28' } })
    expect((await call(client, 'echo', { message: 'x' })).isError).toBe(false)
    expect(client.states).toEqual(['connected'])
  })
})
