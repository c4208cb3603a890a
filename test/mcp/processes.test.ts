import { spawn, type ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { nextTurn } from '../../packages/agent-api/src/base/in-slices.ts'
import type { McpServerConfig } from '../../packages/agent-api/src/mcp/server-config.ts'
import { call, endChild, faultyServer, openConnected, openTestClient } from '../support/mcp-clients.ts'
import { descendantsOf, isAlive, processesWithArgument, survivorsAfter, until } from '../support/processes.ts'
import { programPath } from '../support/program-path.ts'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'

/** Long enough for a busy machine. Other tests check the guaranteed times. */
const goneWithinMs = 15_000

const pidsIn = async (file: string) =>
  (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean).map(Number)

/** All processes of one test's servers have its folder among their arguments. */
const processesOf = (temp: TempDir) => processesWithArgument(temp.path)

function wrapped(config: ReturnType<typeof faultyServer>): ReturnType<typeof faultyServer> {
  const line = [config.command, ...config.args].map((word) => `'${word}'`).join(' ')
  return { ...config, command: '/bin/sh', args: ['-c', `${line}; true`] }
}

describe.concurrent('after disposal nothing is left of', () => {
  test.each([
    ['a plain server', 'log-start', false],
    ['a server behind a shell', 'log-start', true],
    ['one that ignores the end of its input and SIGTERM', 'ignore-sigterm', false],
    ['one that ignores both, behind a shell', 'ignore-sigterm', true],
    ['one with a child that ignores signals and holds its output', 'grandchild', false],
    ['one with a child in a session of its own', 'escaped-grandchild', false],
  ])('%s', async (_case, fault, behindShell) => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'pids')
    const config = faultyServer(fault, file)
    const client = await openConnected(behindShell ? wrapped(config) : config)
    await until('the pids', async () => (await pidsIn(file)).length > 0)
    const pids = new Set([...(await processesOf(temp)), ...(await pidsIn(file))])
    expect(pids.size).toBeGreaterThan(0)
    await client[Symbol.asyncDispose]()
    expect(await survivorsAfter([...pids], 0)).toEqual([])
    expect(client.status).toEqual({ state: 'disconnected' })
  })

  test('a server that is still starting', async () => {
    await using temp = await openTempDir()
    const client = openTestClient(faultyServer('hang-initialize', temp.path))
    const [pid] = await until('the process', async () => {
      const found = await processesOf(temp)
      return found.length > 0 && found
    })
    await client[Symbol.asyncDispose]()
    expect(await isAlive(pid!)).toBe(false)
    expect(client.status).toEqual({ state: 'disconnected' })
    await client.settled
  })

  test('a server that has not answered in time', async () => {
    await using temp = await openTempDir()
    await using client = openTestClient(
      faultyServer('hang-initialize', temp.path, { connectTimeoutMs: 1_000 }),
    )
    await client.settled
    // This was the first of several attempts, and the next one is not due yet.
    expect(client.status).toMatchObject({ state: 'error', willRetry: true })
    await until('its end', async () => (await processesOf(temp)).length === 0)
  })

  test('a server that has not answered in time and does not end; the failure is reported before it is gone', async () => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'pids')
    const config = faultyServer('hang-stubborn', file, { connectTimeoutMs: 1_000 })
    await using client = openTestClient(
      config,
      {},
      { inputClosedMs: 1_000, quickRetriesMs: [1], slowRetriesMs: [60_000] },
    )
    await client.settled
    expect(client.status).toMatchObject({ state: 'error', reason: 'did not answer within 1 s' })
    const [first] = await pidsIn(file)
    expect(await processesOf(temp)).toContain(first)
    // The next attempt waits for its end.
    await until('the next', async () => (await pidsIn(file)).length === 2)
    expect(await processesOf(temp)).not.toContain(first)
  })

  test('a server in the middle of a call', async () => {
    await using temp = await openTempDir()
    const client = await openConnected(faultyServer('hang-call', temp.path))
    const result = call(client, 'echo')
    result.catch(() => {})
    await client[Symbol.asyncDispose]()
    await expect(result).rejects.toMatchObject({ code: 'mcp.disposed' })
    expect(await processesOf(temp)).toEqual([])
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.disposed' })
  })

  test('a server that has left a child behind', async () => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'pids')
    await using client = await openConnected(faultyServer('exit-with-grandchild', file))
    const [grandchild] = await until('the child', async () => {
      const pids = await pidsIn(file)
      return pids.length > 0 && pids
    })
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.server_stopped' })
    expect(await survivorsAfter([grandchild!], goneWithinMs)).toEqual([])
  })

  test('a server that is disposed twice', async () => {
    await using temp = await openTempDir()
    const client = await openConnected(faultyServer('none', temp.path))
    await Promise.all([client[Symbol.asyncDispose](), client[Symbol.asyncDispose]()])
    await client[Symbol.asyncDispose]()
    expect(await processesOf(temp)).toEqual([])
  })
})

describe('within two seconds of its owner being killed, nothing is left of', () => {
  const within = 2_000

  test.each([
    ['a plain server', 'log-start', false],
    ['one that ignores the end of its input and SIGTERM', 'ignore-sigterm', false],
    ['one that ignores both, behind a shell', 'ignore-sigterm', true],
    ['one with a child that ignores signals', 'grandchild', false],
    ['one with a child in a session of its own', 'escaped-grandchild', false],
  ])('%s', async (_case, fault, behindShell) => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'pids')
    const config = faultyServer(fault, file)
    await using owner = await startOwner('hold', behindShell ? wrapped(config) : config)
    await until('the pids', async () => (await pidsIn(file)).length > 0)
    const pids = [...new Set([...(await descendantsOf(owner.pid)), ...(await pidsIn(file))])]
    expect(pids.length).toBeGreaterThanOrEqual(2)
    await owner.kill()
    expect(await survivorsAfter(pids, within)).toEqual([])
  })

  test('five servers and their owner, killed as a group by the editor', async () => {
    await using temp = await openTempDir()
    const configs = Array.from({ length: 5 }, (_, index) =>
      faultyServer('ignore-sigterm', join(temp.path, `pids-${index}`)),
    )
    await using owner = await startOwner('hold', ...configs)
    const pids = await descendantsOf(owner.pid)
    // The servers and one shared watchdog.
    expect(pids).toHaveLength(6)
    process.kill(-owner.pid, 'SIGKILL')
    expect(await survivorsAfter(pids, within)).toEqual([])
  })

  test('a server that is still starting', async () => {
    await using temp = await openTempDir()
    await using owner = await startOwner('connecting', faultyServer('hang-initialize', temp.path))
    await until('the server', async () => (await processesOf(temp)).length > 1)
    const pids = await descendantsOf(owner.pid)
    await owner.kill()
    expect(await survivorsAfter(pids, within)).toEqual([])
  })

  test('servers that were started while others ended', async () => {
    await using temp = await openTempDir()
    const starts = join(temp.path, 'starts')
    await using owner = await startOwner(
      'hold',
      faultyServer('exit-after-handshake', temp.path),
      faultyServer('ignore-sigterm', starts),
    )
    await until('the first retry', async () => (await processesOf(temp)).length >= 2)
    const pids = await descendantsOf(owner.pid)
    await owner.kill()
    expect(await survivorsAfter(pids, within)).toEqual([])
  })
})

describe.concurrent('an owner that exits by itself', () => {
  test.each([
    ['after disposing of its clients', 'dispose'],
    ['without', 'exit'],
  ])('%s leaves neither servers nor watchdog, and is not kept alive by them', async (_case, command) => {
    await using temp = await openTempDir()
    await using owner = await startOwner(command, faultyServer('ignore-sigterm', join(temp.path, 'pids')))
    const pids = await descendantsOf(owner.pid)
    expect(pids).toHaveLength(2)
    process.kill(owner.pid, 'SIGUSR2')
    expect(await owner.exited).toBe(0)
    expect(await survivorsAfter(pids, goneWithinMs)).toEqual([])
  })
})

describe('the watchdog', () => {
  test('holds no descriptor of a server, no server holds its pipe, and it is small', async () => {
    await using temp = await openTempDir()
    await using owner = await startOwner(
      'hold',
      faultyServer('none', temp.path),
      faultyServer('none', temp.path),
    )
    const pids = await descendantsOf(owner.pid)
    const [watchdog] = await watchdogsOf(owner.pid)
    expect(pids).toHaveLength(3)
    expect(await ownPipesOf(watchdog!)).toHaveLength(1)
    const held = (await Promise.all([owner.pid, ...pids].map(ownPipesOf))).flat()
    expect(new Set(held).size).toBe(held.length)
    const status = await readFile(`/proc/${watchdog}/status`, 'utf8')
    expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(8 * 1024)
  })

  test('is replaced when killed, and the new one guards the old servers', async () => {
    await using temp = await openTempDir()
    await using owner = await startOwner('hold', faultyServer('ignore-sigterm', join(temp.path, 'pids')))
    const [watchdog] = await watchdogsOf(owner.pid)
    process.kill(watchdog!, 'SIGKILL')
    await until('another watchdog', async () =>
      (await watchdogsOf(owner.pid)).find((pid) => pid !== watchdog),
    )
    const pids = await descendantsOf(owner.pid)
    expect(pids).toHaveLength(2)
    await owner.kill()
    expect(await survivorsAfter(pids, goneWithinMs)).toEqual([])
  })

  test('ends a group that is guarded, and leaves one that no longer is', async () => {
    const script = `
      import { spawn } from 'node:child_process'
      import { createProcessGuard } from '${import.meta.resolve('../../packages/agent-api/src/processes/watchdog.ts')}'
      const pids = [1, 2].map(() => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).pid)
      const [release] = pids.map((pid) => createProcessGuard(console).watch(pid))
      release()
      console.log(pids.join(' '))
    `
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pids] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string]
    const [left = 0, guarded = 0] = pids.split(' ').map(Number)
    try {
      const watchdogs = await watchdogsOf(owner.pid!)
      expect(watchdogs).toHaveLength(1)
      await endChild(owner)
      expect(await survivorsAfter([guarded, ...watchdogs], goneWithinMs)).toEqual([])
      expect(await isAlive(left)).toBe(true)
    } finally {
      await endChild(owner)
      process.kill(left)
    }
  })
})

describe('many servers', () => {
  test.each([
    ['eight start at once', 7],
    ['more do not wait for unresponsive ones', 24],
  ])('%s', async (_, count) => {
    await using temp = await openTempDir()
    const silent = Array.from({ length: count }, () =>
      openTestClient(faultyServer('hang-initialize', temp.path)),
    )
    const healthy = openTestClient(faultyServer('none', temp.path))
    try {
      await healthy.settled
      expect(healthy.status.state).toBe('connected')
      expect(silent.map((client) => client.status.state)).toEqual(silent.map(() => 'connecting'))
      await until('all of them', async () => (await processesOf(temp)).length === count + 1)
    } finally {
      await Promise.all([...silent, healthy].map((client) => client[Symbol.asyncDispose]()))
    }
    expect(await processesOf(temp)).toEqual([])
  })

  test('eight start and end', async () => {
    await using temp = await openTempDir()
    const clients = Array.from({ length: 8 }, () => openTestClient(faultyServer('none', temp.path)))
    await Promise.all(clients.map((client) => client.settled))
    expect(clients.map((client) => client.status.state)).toEqual(Array.from({ length: 8 }, () => 'connected'))
    expect(await processesOf(temp)).toHaveLength(8)
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    expect(await processesOf(temp)).toEqual([])
  })

  test('other work waits for the start of one of them', async () => {
    await using temp = await openTempDir()
    const children: ChildProcess[] = []
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const onChild = (message: unknown) => {
      children.push((message as { readonly process: ChildProcess }).process)
      begin()
    }
    const startsOf = () => children.filter(({ spawnargs }) => spawnargs.includes(temp.path)).length
    subscribe('child_process', onChild)
    const clients = Array.from({ length: 20 }, () =>
      openTestClient(faultyServer('hang-initialize', temp.path)),
    )
    try {
      await begun
      await nextTurn()
      expect(startsOf()).toBeLessThanOrEqual(2)
      await until('the other starts', () => startsOf() === clients.length)
    } finally {
      unsubscribe('child_process', onChild)
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    }
  })
})

interface Owner extends AsyncDisposable {
  readonly pid: number
  readonly exited: Promise<number | null>
  readonly output: Readable
  kill(): Promise<void>
}

function spawnOwner(command: string, ...configs: McpServerConfig[]): Owner {
  const script = programPath('fixtures/mcp-owner.ts')
  const args = [script, command, ...configs.map((config) => JSON.stringify(config))]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const kill = () => endChild(child)
  return { pid: child.pid!, exited, output: child.stdout, kill, [Symbol.asyncDispose]: kill }
}

/** Starts an owner whose servers have been tried at least once. */
async function startOwner(command: string, ...configs: McpServerConfig[]): Promise<Owner> {
  const owner = spawnOwner(command, ...configs)
  await once(createInterface({ input: owner.output }), 'line')
  return owner
}

async function watchdogsOf(owner: number): Promise<number[]> {
  const marked = await processesWithArgument('ostler-watchdog')
  const own = new Set(await descendantsOf(owner))
  return marked.filter((pid) => own.has(pid))
}

/** Pipes and sockets, except those inherited from the test process. */
async function ownPipesOf(pid: number): Promise<string[]> {
  const inherited = new Set(await linksOf(process.pid))
  const links = new Set(await linksOf(pid))
  return [...links].filter((link) => /^(?:pipe|socket):/.test(link) && !inherited.has(link))
}

async function linksOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`)
  return Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
}
