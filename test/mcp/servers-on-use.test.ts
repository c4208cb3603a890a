import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../packages/agent-api/src/base/logger.ts'
import { openMcpClient } from '../../packages/agent-api/src/mcp/open-mcp-client.ts'
import type { KnownServer } from '../../packages/agent-api/src/mcp/known-server.ts'
import type { StdioServerConfig } from '../../packages/agent-api/src/mcp/server-config.ts'
import { createRedactor } from '../../packages/agent-api/src/redaction/redact.ts'
import { openServerSet } from '../../packages/agent-api/src/servers/server-set.ts'
import { callText, faultyServer, fixturePath, nodeServer } from '../support/mcp-clients.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { quickTiming } from '../support/quick-timing.ts'
import { openTempDir } from '../support/temp-dir.ts'

const signal = AbortSignal.timeout(30_000)
const known: KnownServer = {
  server: { name: 'fading', version: '1', protocolVersion: '2025-06-18' },
  era: 'legacy',
  tools: [{ name: 'wait', description: 'Waits', inputSchema: { type: 'object' } }],
  prompts: [],
}
const dynamic = { mode: 'dynamic', defaultToolConfig: {} } as const

/** A set with one server that starts on use. */
function openOne(config: StdioServerConfig) {
  const set = openServerSet({
    open: (own) =>
      openMcpClient({
        config: own,
        host: { cwd: process.cwd(), roots: [] },
        logger: silentLogger,
        redactor: createRedactor(),
        timing: { ...quickTiming, attemptAgainMs: 0 },
        known,
        startsOnUse: true,
      }),
    configured: [],
    logger: silentLogger,
    onViolation() {},
  })
  const client = set.add(config, dynamic)
  return { set, client, [Symbol.asyncDispose]: () => set[Symbol.asyncDispose]() }
}

/** Runs the first line at its first start, and a plain server from the second on. */
function firstThenServer(path: string, first: string): StdioServerConfig {
  const again = `[ -e ${path}/begun ] && exec ${process.execPath} ${fixturePath('fading-server.mjs')} stdio ${path}/log`
  return { ...nodeServer([]), command: 'sh', args: ['-c', `${again}; : > ${path}/begun; ${first}`] }
}

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a server that starts on use', () => {
  test('costs no process, and offers what is known', async () => {
    await using dir = await openTempDir()
    await using one = openOne(nodeServer([fixturePath('fading-server.mjs'), 'stdio', join(dir.path, 'log')]))
    const { set, client } = one
    await set.settled()
    client.wake()
    await set.ready()
    expect(client.status).toEqual({ state: 'idle' })
    expect(client.isAnticipated).toBe(true)
    expect([...set.admitted('server').keys()]).toEqual(['wait'])
    expect(await processesWithArgument(dir.path)).toEqual([])
  })

  test('starts once for all that use it, and ends when it is removed', async () => {
    await using dir = await openTempDir()
    const log = join(dir.path, 'log')
    await using one = openOne(nodeServer([fixturePath('fading-server.mjs'), 'stdio', log]))
    const { set, client } = one
    const uses = Array.from({ length: 5 }, () => client.use({ signal }))
    expect(await callText(client, 'wait')).toBe('waited')
    await Promise.all(uses)
    expect((await readFile(log, 'utf8')).match(/start/g)).toHaveLength(1)
    expect(client.isAnticipated).toBe(false)
    await set.remove('server')
    expect(await processesWithArgument(dir.path)).toEqual([])
  })

  test("gives its callers the failure with the server's last words, and may be started again", async () => {
    await using dir = await openTempDir()
    await using one = openOne(firstThenServer(dir.path, 'echo no database >&2; exit 3'))
    const { client } = one
    expect(await Promise.all([errorOf(client.use({ signal })), errorOf(callText(client, 'wait'))])).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          code: 'mcp.server_stopped',
          message: expect.stringContaining('no database'),
        }),
      ),
    )
    expect(client.status).toMatchObject({ state: 'error', willRetry: false })
    expect(client.tools).toEqual(known.tools)
    expect(await callText(client, 'wait')).toBe('waited')
  })

  test('starts for the callers that stay when others cancel', async () => {
    await using dir = await openTempDir()
    const starts = () => readFile(join(dir.path, 'begun'), 'utf8').catch(() => '')
    const server = `${process.execPath} ${fixturePath('fading-server.mjs')} stdio ${dir.path}/log`
    const waiting = `echo begun >> ${dir.path}/begun; until [ -e ${dir.path}/go ]; do sleep 0.02; done; exec ${server}`
    await using one = openOne({ ...nodeServer([]), command: 'sh', args: ['-c', waiting] })
    const { client } = one
    const caller = new AbortController()
    const [gone, stays] = [errorOf(client.use(caller)), client.use({ signal })]
    await until('the process', starts)
    caller.abort()
    expect(await gone).toMatchObject({ code: 'mcp.cancelled' })
    await writeFile(join(dir.path, 'go'), '')
    await stays
    expect(await starts()).toBe('begun\n')
  })

  test('is cancelled with its last caller, and then idle again', async () => {
    await using dir = await openTempDir()
    await using one = openOne(faultyServer('hang-initialize', dir.path))
    const { client } = one
    const caller = new AbortController()
    const use = errorOf(client.use(caller))
    await until('the process', async () => (await processesWithArgument(dir.path)).length > 0)
    caller.abort()
    expect(await use).toMatchObject({ code: 'mcp.cancelled' })
    await until('the end of the start', () => client.status.state === 'idle')
    expect(await processesWithArgument(dir.path)).toEqual([])
  })

  test('starts again for a caller that comes while a cancelled start ends', async () => {
    await using dir = await openTempDir()
    await using one = openOne(firstThenServer(dir.path, 'exec sleep 1000'))
    const { client } = one
    const caller = new AbortController()
    const use = errorOf(client.use(caller))
    await until(
      'the process',
      async () => (await readFile(join(dir.path, 'begun')).catch(() => undefined)) !== undefined,
    )
    caller.abort()
    expect(await use).toMatchObject({ code: 'mcp.cancelled' })
    expect(client.status.state).toBe('connecting')
    expect(await callText(client, 'wait')).toBe('waited')
  })

  test('does not outlive its removal while it starts', async () => {
    await using dir = await openTempDir()
    await using one = openOne(faultyServer('hang-initialize', dir.path))
    const { set, client } = one
    const use = errorOf(client.use({ signal }))
    await until('the process', async () => (await processesWithArgument(dir.path)).length > 0)
    await set.remove('faulty')
    expect(await use).toMatchObject({ code: 'mcp.disposed' })
    expect(await processesWithArgument(dir.path)).toEqual([])
  })
})
