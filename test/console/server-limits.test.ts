import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import type { LogFields, Logger } from '@ostler/agent-api'
import { createToolCallId, createStoredState } from '@ostler/agent-api/internal'
import { openConsole, type ConsoleOptions, type HttpServer } from '@ostler/console'
import { expect, test } from 'vitest'
import { until } from '../support/processes.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { closed, enterConsole, rawRequest } from './console-process.ts'

interface Opened extends AsyncDisposable {
  readonly server: HttpServer
  readonly head: string
  readonly log: readonly string[]
}

async function open(options: Partial<ConsoleOptions> = {}): Promise<Opened> {
  const dir = await openTempDir()
  const pageDir = join(dir.path, 'page')
  await mkdir(join(pageDir, 'assets'), { recursive: true })
  await writeFile(join(pageDir, 'index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(pageDir, 'assets/page-abc.js'), 'page()')
  await writeFile(join(dir.path, 'outside.js'), 'outside()')
  await symlink(join(dir.path, 'outside.js'), join(pageDir, 'assets/link.js'))
  await symlink('/etc', join(pageDir, 'etc'))
  const log: string[] = []
  const note = (message: string, fields?: LogFields) =>
    void log.push(`${message} ${JSON.stringify(fields ?? {})}`)
  const logger: Logger = { error: note, warn: note, info: note, debug: note }
  const server = await openConsole({
    pageDir,
    stateDir: join(dir.path, 'state'),
    agentFile: join(dir.path, 'ostler.yaml'),
    env: { OSTLER_SECRET_STORE: 'file' },
    version: '0',
    exportServers: () => ({}),
    logger,
    ...options,
  })
  return {
    server,
    head: `host: 127.0.0.1:${server.port}\r\nauthorization: ${await enterConsole(server.url)}\r\norigin: http://127.0.0.1:${server.port}\r\n`,
    log,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
}

function connect(port: number): Socket & { received: string } {
  const socket = Object.assign(createConnection({ port, host: '127.0.0.1' }), { received: '' })
  socket.setEncoding('latin1').on('data', (chunk: string) => (socket.received += chunk))
  socket.on('error', () => undefined)
  return socket
}

/** Connections of the server that a process still holds. */
async function ownedConnections(port: number): Promise<number> {
  const own = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'latin1')).split('\n').map((line) => line.trim().split(/\s+/))
  // Not the one that listens.
  return rows.filter(
    ([, local, , state, , , , , , inode]) => local?.endsWith(own) && state !== '0A' && inode !== '0',
  ).length
}

const get = (path: string, { head }: Opened) => `GET ${path} HTTP/1.1\r\n${head}connection: close\r\n\r\n`

test('a symbolic link in the page leads nowhere, and the page has no other way out', async () => {
  await using console = await open()
  const read = (path: string) => rawRequest(console.server.port, get(path, console))
  expect(await read('/assets/page-abc.js')).toContain('page()')
  for (const path of ['/assets/link.js', '/etc/passwd', '/etc/hostname'])
    expect(await read(path)).toMatch(/^HTTP\/1\.1 404/)
  for (const path of ['/', '/calls', '/sessions/abc'])
    expect(await read(path)).toContain('<title>page</title>')
})

test('HEAD of the stream of events ends at once and takes no place', async () => {
  await using console = await open({ limits: { streamsMax: 0 } })
  const head = get('/api/events', console).replace('GET', 'HEAD')
  expect(await rawRequest(console.server.port, head)).toMatch(/^HTTP\/1\.1 200.*\r\n\r\n$/s)
  expect(await rawRequest(console.server.port, get('/api/events', console))).toMatch(/^HTTP\/1\.1 503/)
})

test('a request that is sent very slowly is ended, and others continue', async () => {
  await using console = await open({ limits: { requestMsMax: 400 } })
  const { port } = console.server
  const slow = connect(port)
  slow.write(`GET /api/servers HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`)
  const drops = setInterval(() => slow.write('x-drop: 1\r\n'), 50)
  const slowBody = connect(port)
  slowBody.write(
    `POST /api/servers HTTP/1.1\r\n${console.head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  )
  await Promise.all([closed(slow), closed(slowBody)])
  clearInterval(drops)
  expect(slow.received).toMatch(/^HTTP\/1\.1 408/)
  expect(slowBody.received).toMatch(/^HTTP\/1\.1 408/)
  expect(await rawRequest(port, get('/api/servers', console))).toMatch(/^HTTP\/1\.1 200/)
})

test('a stream may stay open longer than a request may take, and is kept alive', async () => {
  await using console = await open({ limits: { requestMsMax: 100, heartbeatMs: 50 } })
  const stream = connect(console.server.port)
  stream.write(get('/api/events', console))
  while (stream.received.split('\r\n1\r\n\n').length < 8) await once(stream, 'data')
  expect(stream.received).toContain('Content-Type: application/x-ndjson')
  stream.destroy()
})

test('the number of open streams is limited, and a slot is returned', async () => {
  await using console = await open({ limits: { streamsMax: 3 } })
  const { port } = console.server
  const streams = [connect(port), connect(port), connect(port)]
  for (const stream of streams) {
    stream.write(get('/api/events', console))
    await once(stream, 'data')
  }
  expect(await rawRequest(port, get('/api/events', console))).toMatch(/^HTTP\/1\.1 503/)
  streams[0]?.destroy()
  for (;;) {
    const next = connect(port)
    next.write(get('/api/events', console))
    await once(next, 'data')
    const isOpen = next.received.startsWith('HTTP/1.1 200')
    next.destroy()
    if (isOpen) break
  }
  for (const stream of streams) stream.destroy()
})

test('thousands of connections do no harm', async () => {
  await using console = await open({ limits: { connectionsMax: 50 } })
  const { port } = console.server
  for (let wave = 0; wave < 25; wave++) {
    const sockets = Array.from({ length: 100 }, () => connect(port))
    await Promise.all(
      sockets.map((socket) =>
        Promise.race([closed(socket), new Promise((resolve) => socket.once('connect', resolve))]),
      ),
    )
    for (const socket of sockets) socket.destroy()
    await Promise.all(sockets.map(closed))
  }
  let answer = ''
  // Until the server has noticed that they are gone.
  while (!answer.startsWith('HTTP/1.1 200')) answer = await rawRequest(port, get('/api/servers', console))
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
}, 120_000)

test('connections that say nothing, or half a request, keep nobody out, whether they read or not', async () => {
  await using console = await open({ limits: { connectionsMax: 20, requestMsMax: 400 } })
  const { port } = console.server
  const says = ['', 'GET / HTTP/1.1\r\n', 'POST /api/enter HTTP/1.1\r\ncontent-length: 5\r\n']
  const silent = Array.from({ length: 60 }, (_, index) => {
    const socket = connect(port)
    socket.pause()
    socket.write(says[index % says.length] ?? '')
    return socket
  })
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  // At the limit, the oldest one makes room.
  expect(await rawRequest(port, get('/api/servers', console))).toMatch(/^HTTP\/1\.1 200/)
  // The others are ended, although they do not read the refusal.
  await until('room', async () => (await ownedConnections(port)) === 0)
  for (const socket of silent) socket.destroy()
})

test('connections of the page keep their place', async () => {
  await using console = await open({ limits: { connectionsMax: 3 } })
  const { port } = console.server
  const stream = connect(port)
  stream.write(get('/api/events', console))
  await once(stream, 'data')
  for (let count = 0; count < 10; count++) await once(connect(port), 'connect')
  expect(await rawRequest(port, get('/api/servers', console))).toMatch(/^HTTP\/1\.1 200/)
  expect(stream.closed).toBe(false)
  stream.destroy()
})

test('a stream that is not read is closed, and does not grow in memory', async () => {
  await using dir = await openTempDir()
  await using console = await open({
    stateDir: dir.path,
    limits: { streamBytesMax: 64 * 1024, streamsMax: 1 },
  })
  const { port } = console.server
  const stream = connect(port)
  stream.write(get('/api/events', console))
  await once(stream, 'data')
  stream.pause()
  const isTaken = async () => {
    const next = connect(port)
    next.write(get('/api/events', console))
    await once(next, 'data')
    next.destroy()
    return next.received.startsWith('HTTP/1.1 503')
  }
  expect(await isTaken()).toBe(true)
  using history = createStoredState({ stateDir: dir.path })
  const recorder = history.calls.recorder({ agent: 'default' })
  // More than the system's buffers hold.
  const call = { server: 'bulk'.repeat(100), tool: 'tool'.repeat(100), arguments: {} }
  for (let index = 0; index < 10_000; index++) await recorder.start({ id: createToolCallId(), ...call })
  await until('its end', async () => !(await isTaken()))
  stream.destroy()
})

test('a request ends when its client leaves, which is no error', async () => {
  await using dir = await openTempDir()
  using history = createStoredState({ stateDir: dir.path })
  const call = await history.calls
    .recorder({ agent: 'default' })
    .start({ id: createToolCallId(), server: null, tool: 'x', arguments: {} })
  call.decided('allow', { by: 'mode', how: 'auto' })
  call.ended('success', { isError: false, content: [] })
  await using console = await open({ stateDir: dir.path })
  for (let count = 0; count < 5; count++) {
    const socket = connect(console.server.port)
    socket.write(
      `POST /api/policy/replay HTTP/1.1\r\n${console.head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`,
    )
    await new Promise((resolve) => setTimeout(resolve, 5))
    socket.destroy()
  }
  const halfSent = connect(console.server.port)
  halfSent.write(
    `POST /api/servers HTTP/1.1\r\n${console.head}content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n{`,
  )
  // The server is reading the body now.
  await once(halfSent, 'data')
  halfSent.destroy()
  // The same takes its time, so the others have ended before.
  const post = `POST /api/policy/replay HTTP/1.1\r\n${console.head}connection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`
  expect(await rawRequest(console.server.port, post)).toMatch(/^HTTP\/1\.1 200/)
  expect(console.log).toEqual([])
})

test('a failing handler ends one request, and its error is only logged', async () => {
  const canary = 'the-inner-message'
  await using console = await open({
    exportServers() {
      throw new Error(canary)
    },
  })
  const answer = await rawRequest(console.server.port, get('/api/export', console))
  expect(answer).toMatch(/^HTTP\/1\.1 500/)
  expect(answer).toContain('console.unexpected')
  expect(answer).not.toContain(canary)
  expect(console.log.join('\n')).toContain(canary)
  expect(await rawRequest(console.server.port, get('/api/servers', console))).toMatch(/^HTTP\/1\.1 200/)
})

test('anything but HTTP is answered with an error and closed', async () => {
  await using console = await open()
  for (const bytes of [
    '\x16\x03\x01\x02\x00\x01\x00',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\r\n\r\n\r\nx x x\r\n\r\n',
  ])
    expect(await rawRequest(console.server.port, bytes)).toMatch(/^HTTP\/1\.1 4\d\d/)
})

test('it shuts down with open streams and requests', async () => {
  const console = await open()
  const stream = connect(console.server.port)
  stream.write(get('/api/events', console))
  await once(stream, 'data')
  const idle = connect(console.server.port)
  await once(idle, 'connect')
  await console[Symbol.asyncDispose]()
  await expect(Promise.all([closed(stream), closed(idle)])).resolves.toHaveLength(2)
})
