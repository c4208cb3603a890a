import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { retryAfterMs } from '../../packages/agent-api/src/mcp/transports/guarded-fetch.ts'
import { openFaultyHttpServer } from '../fixtures/servers/faulty-http-server.mjs'
import {
  call,
  callText,
  canary,
  httpServer,
  openConnected,
  openTestClient,
  type HttpFixture,
} from '../support/mcp-clients.ts'
import { until } from '../support/processes.ts'

const callsIn = (lines: readonly string[]) => lines.filter((line) => line.includes('tools/call')).length

async function openFaulty(...fault: string[]): Promise<HttpFixture> {
  const lines: string[] = []
  const { url, close } = await openFaultyHttpServer(fault, (line) => lines.push(line))
  return { url, lines, kill: close, [Symbol.asyncDispose]: close }
}

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function reasonFor(...args: string[]) {
  await using server = await openFaulty(...args)
  await using client = openTestClient(httpServer(server.url, { connectTimeoutMs: 10_000 }))
  await client.settled
  return client.status
}

describe('connecting', () => {
  test.each([
    ['401', 'needs authorization (HTTP 401)', false],
    ['403', 'needs authorization (HTTP 403)', false],
    ['500', 'the server answered with HTTP 500', true],
    ['502', 'the server answered with HTTP 502', true],
    ['404', 'the server answered with HTTP 404', false],
  ])('reports status %s instead of the page that came with it', async (status, reason, willRetry) => {
    expect(await reasonFor('status-on-init', status)).toEqual({ state: 'error', reason, willRetry })
  })

  test('reports a page in place of an answer', async () => {
    const status = await reasonFor('html-on-init')
    expect(status).toMatchObject({ state: 'error' })
    expect(JSON.stringify(status)).not.toContain(canary)
  })

  test('waits as long as requested, once', async () => {
    await using server = await openFaulty('too-many-requests', '1')
    await using client = await openConnected(httpServer(server.url))
    expect(await callText(client, 'echo', { message: 'hi' })).toBe('Echo: hi')
  })

  test('follows no redirect to another origin, and leaks nothing there', async () => {
    await using other = await openFaulty()
    await using server = await openFaulty('redirect', other.url)
    await using client = openTestClient(
      httpServer(server.url, { headers: { authorization: `Bearer ${canary}` } }),
    )
    await client.settled
    expect(client.status).toMatchObject({ state: 'error', reason: expect.stringContaining('HTTP 307') })
    expect(other.lines).toEqual([])
    expect(server.lines[0]).toContain(canary)
  })

  test.each(['127.0.0.1', 'localhost', '127.1'])(
    'reports that nothing listens on %s, where plain http is allowed',
    async (host) => {
      await using client = openTestClient(httpServer(`http://${host}:${await closedPort()}/mcp`))
      await client.settled
      expect(client.status).toEqual({ state: 'error', reason: 'connection refused', willRetry: true })
    },
  )

  test('reports an unknown host', async () => {
    await using client = openTestClient(httpServer('https://no-such-host.invalid/mcp'))
    await client.settled
    expect(client.status).toMatchObject({ state: 'error', reason: expect.stringMatching(/^host not found/) })
  })

  test('times out when the server accepts and does not answer', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    try {
      await using client = openTestClient(
        httpServer(`http://127.0.0.1:${port}/mcp`, { connectTimeoutMs: 500 }),
      )
      await client.settled
      expect(client.status).toMatchObject({
        state: 'error',
        reason: 'did not answer within 0.5 s',
        willRetry: true,
      })
    } finally {
      silent.close()
    }
  })

  test.each([
    ['ftp://example.org/', {}, 'not an http or https URL'],
    ['not a url', {}, 'not an http or https URL'],
    ['http://example.org/mcp', {}, 'plain http to example.org is not encrypted'],
    ['http://127.0.0.1.example.org/mcp', {}, 'is not encrypted'],
    [`https://user:${canary}@example.org/`, {}, 'put them in a header'],
    [
      'https://example.org/',
      { headers: { 'x-key': `${canary}\r\nhost: evil` } },
      'the value of the header x-key',
    ],
    ['https://example.org/', { headers: { 'bad name': canary } }, 'invalid name'],
  ])('refuses %s', async (url, more, reason) => {
    await using client = openTestClient(httpServer(url, more))
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining(reason),
      willRetry: false,
    })
    expect(JSON.stringify([client.status, client.log])).not.toContain(canary)
  })
})

describe('an endless answer', () => {
  const MiB = 1024 * 1024

  async function sentBytes(server: { readonly lines: readonly string[] }): Promise<number> {
    const line = await until('the end of the connection', () =>
      server.lines.find((text) => text.includes('sentBytes')),
    )
    return (JSON.parse(line) as { sentBytes: number }).sentBytes
  }

  test.each(['data: x\r\n', 'data: x\n', 'data: x\r', ': comment\r\n', '\t', 'data\r\n'])(
    'of lines like %j is cut at the limit, which the error names',
    async (line) => {
      await using server = await openFaulty('endless-event', JSON.stringify(line))
      await using client = await openConnected(httpServer(server.url))
      await expect(call(client, 'echo', {}, 60_000)).rejects.toMatchObject({
        code: 'mcp.result_too_large',
        message: 'result too large: one event is over 10 MiB',
      })
      // The rest is what both systems buffer for a connection.
      expect(await sentBytes(server)).toBeLessThan(32 * MiB)
      expect(client.status.state).toBe('connected')
    },
  )

  test('as a body is cut at the limit, which the error names', async () => {
    await using server = await openFaulty('endless-body')
    await using client = await openConnected(httpServer(server.url))
    await expect(call(client, 'echo', {}, 60_000)).rejects.toThrow(
      'result too large: the answer is over 10 MiB',
    )
    expect(await sentBytes(server)).toBeLessThan(32 * MiB)
  })

  test('counts together with those of all other calls of its server', async () => {
    await using server = await openFaulty('unfinished-event')
    await using client = await openConnected(httpServer(server.url))
    const rest = new AbortController()
    const errors: string[] = []
    const calls = Array.from({ length: 10 }, () =>
      client
        .callTool('echo', {}, { signal: rest.signal, timeoutMs: 60_000 })
        .catch((error: Error) => errors.push(error.message)),
    )
    // Three of eight MiB fit, in no particular order.
    await until('the calls for which there is no room', () => errors.length >= 7)
    expect(new Set(errors)).toEqual(
      new Set(['result too large: the unfinished answers of this server together hold more than 32 MiB']),
    )
    expect(await callText(client, 'echo', { message: 'small' })).toBe('Echo: small')
    rest.abort()
    await Promise.all(calls)
    expect(errors.filter((message) => message === 'cancelled')).toHaveLength(3)
  })

  test('of progress ends when the call is cancelled', async () => {
    await using server = await openFaulty('progress-flood')
    await using client = await openConnected(httpServer(server.url))
    const cancel = new AbortController()
    let shown = 0
    const onProgress = () => {
      if (++shown === 3) cancel.abort()
    }
    await expect(
      client.callTool('echo', { message: 'flood' }, { signal: cancel.signal, onProgress }),
    ).rejects.toMatchObject({
      code: 'mcp.cancelled',
    })
    await sentBytes(server)
    expect(await callText(client, 'echo', { message: 'after' })).toBe('Echo: after')
  })
})

describe.concurrent('a call', () => {
  const lost = 'connection lost; the tool may have run'
  test.each([
    ['status-on-call', 'mcp.http_error', 'the server answered with HTTP 500: {"token":"[redacted]"'],
    ['huge-body', 'mcp.result_too_large', 'result too large'],
    ['huge-event', 'mcp.result_too_large', 'result too large'],
    ['gzip-bomb', 'mcp.result_too_large', 'result too large'],
    ['cut-stream', 'mcp.connection_lost', lost],
    ['ended-stream', 'mcp.connection_lost', lost],
    ['bad-json-event', 'mcp.connection_lost', lost],
    ['bad-json', 'mcp.call_failed', 'invalid JSON'],
    ['short-body', 'mcp.unreachable', lost],
    ['connection-reset', 'mcp.unreachable', lost],
    ['hang-call', 'mcp.call_timeout', 'timed out after 0.5 s'],
    ['slow-body', 'mcp.call_timeout', 'timed out after 0.5 s'],
  ])('%s fails at once and is not repeated', async (fault, code, message) => {
    await using server = await openFaulty(fault)
    await using client = await openConnected(httpServer(server.url))
    const timeoutMs = code === 'mcp.call_timeout' ? 500 : 90_000
    const error: { message: string } = await call(client, 'echo', {}, timeoutMs).then(
      () => ({ message: 'answered' }),
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(error.message.length).toBeLessThan(300)
    expect(callsIn(server.lines)).toBe(1)
  })

  test.each([
    ['event', 'one event'],
    ['body', 'the answer'],
  ])('with more values than may be parsed fails alone, as an %s', async (kind, what) => {
    await using server = await openFaulty('many-values', kind)
    await using client = await openConnected(httpServer(server.url))
    const many = call(client, 'echo', {})
    const small = callText(client, 'echo', { message: 'small' })
    await expect(many).rejects.toMatchObject({
      code: 'mcp.result_too_large',
      message: `result too large: ${what} holds more than 100000 values`,
    })
    expect(await small).toBe('Echo: small')
    expect(await callText(client, 'echo', { message: 'small' })).toBe('Echo: small')
    expect(client.status.state).toBe('connected')
  })

  test('may exceed the limit in small events', async () => {
    await using server = await openFaulty('many-events')
    await using client = await openConnected(httpServer(server.url))
    expect(await callText(client, 'echo')).toBe('after all')
  })

  test('is repeated in a new session, if the server forgot the session and did not accept it', async () => {
    await using server = await openFaulty('forgotten-session')
    await using client = await openConnected(httpServer(server.url))
    expect(await callText(client, 'echo', { message: 'again' })).toBe('Echo: again')
    expect(callsIn(server.lines)).toBe(2)
  })

  test.each([
    ['once more after the wait that a refusal names', ['1', '1'], 2, 'Echo: hi'],
    ['three times at most', ['0'], 3, 'the server answered with HTTP 429'],
    ['once if the wait is too long', ['31'], 1, 'the server answered with HTTP 429'],
    ['once if the refusal names no wait', [''], 1, 'the server answered with HTTP 429'],
  ])('is sent %s', async (_, refusal, count, outcome) => {
    await using server = await openFaulty('too-many-calls', ...refusal)
    await using client = await openConnected(httpServer(server.url))
    expect(await callText(client, 'echo', { message: 'hi' }).catch(({ message }: Error) => message)).toBe(
      outcome,
    )
    expect(callsIn(server.lines)).toBe(count)
  })

  test('fails without authorization, as the status shows, and is not retried', async () => {
    await using server = await openFaulty('unauthorized-call')
    await using client = await openConnected(httpServer(server.url))
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.needs_authorization' })
    expect(client.status).toEqual({
      state: 'error',
      reason: 'needs authorization (HTTP 401)',
      willRetry: false,
    })
  })

  test('fails after the server is gone, and the client tries to reconnect', async () => {
    await using server = await openFaulty()
    await using client = await openConnected(httpServer(server.url))
    await server.kill()
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.unreachable' })
    expect(client.status).toMatchObject({ state: 'error', willRetry: true })
  })
})

test.each([
  ['says nothing at all', false],
  ['sends its headers and nothing more', true],
])('an sse server that %s times out, and does not delay disposal', async (_, sendsHeaders) => {
  const server = createHttpServer((_request, response) => {
    if (sendsHeaders) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
  try {
    const waiting = openTestClient({ type: 'sse', name: 'silent', url, headers: {} })
    await waiting[Symbol.asyncDispose]()
    await using timedOut = openTestClient({
      type: 'sse',
      name: 'silent',
      url,
      headers: {},
      connectTimeoutMs: 300,
    })
    await timedOut.settled
    expect(timedOut.status).toMatchObject({ state: 'error', reason: 'did not answer within 0.3 s' })
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('an endless answer of an sse server is cut at the limit, which the error names', async () => {
  let stream: ServerResponse | undefined
  let sentBytes = 0
  const pour = (chunk: string) => {
    sentBytes += chunk.length
    stream?.write(chunk, (error) => error ?? pour(chunk))
  }
  const answers: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'sse', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  }
  const server = createHttpServer((request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      response.writeHead(202).end()
      if (method === 'tools/call') pour('data: x\r\n'.repeat(1_000))
      else if (method in answers)
        stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] })}\n\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`
  try {
    await using client = openTestClient({ type: 'sse', name: 'web', url, headers: {} })
    await client.settled
    await expect(call(client, 'echo')).rejects.toThrow('result too large: one event is over 10 MiB')
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('the session is closed with the client', async () => {
  await using server = await openFaulty()
  const client = await openConnected(httpServer(server.url))
  await client[Symbol.asyncDispose]()
  await until('the goodbye', () => server.lines.some((line) => line.includes('"DELETE"')))
})

test.each([
  ['3', 3_000],
  ['9999', 30_000],
  ['0', 0],
  ['soon', 1_000],
  ['-5', 1_000],
  ['', 1_000],
  [null, 1_000],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  [new Date(Date.now() + 3_600_000).toUTCString(), 30_000],
])('Retry-After %s means %s ms', (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms)
})
