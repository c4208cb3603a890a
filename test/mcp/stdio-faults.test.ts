import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { until } from '../support/processes.ts'
import {
  call,
  callText,
  canary,
  faultyServer,
  nodeServer,
  openConnected,
  openTestClient,
  type TestClient,
} from '../support/mcp-clients.ts'
import { openTempDir } from '../support/temp-dir.ts'

const names = (client: { tools: readonly { name: string }[] }) => client.tools.map((tool) => tool.name)

describe.concurrent('a server that does not start', () => {
  test.each([
    ['a command that does not exist', { command: '/no/such/command' }, 'command not found: /no/such/command'],
    ['a file that is not executable', { command: '/etc/passwd' }, 'permission denied: /etc/passwd'],
    ['a directory that does not exist', { cwd: '/no/such/directory' }, 'does not exist: /no/such/directory'],
    ['a command that holds a NUL', { command: 'no\0de' }, 'contains a NUL'],
  ])('reports the problem and does not retry: %s', async (_case, config, reason) => {
    await using client = openTestClient(faultyServer('none', '', config))
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining(reason),
      willRetry: false,
    })
    await expect(call(client, 'echo')).rejects.toMatchObject({
      code: expect.stringMatching(/^mcp\./),
      message: expect.stringContaining(reason),
    })
  })

  test('an exit is reported with its code and the last lines of stderr, without secrets, and retried', async () => {
    await using client = openTestClient(faultyServer('exit-at-once'), {}, { quickRetriesMs: [50] })
    await client.settled
    expect(client.status).toEqual({
      state: 'error',
      reason: 'the server exited with code 3\ncannot open database: token [redacted] refused',
      willRetry: true,
    })
    await until(
      'another attempt',
      () => client.log.filter(({ message }) => message.startsWith('MCP server faulty: ')).length > 1,
    )
    expect(JSON.stringify(client.log)).not.toContain(canary)
  })

  test('a program that does not read is reported by its exit, not by the broken pipe', async () => {
    const config = faultyServer('none', '', { command: '/bin/sh', args: ['-c', 'exec 0<&-; exit 7'] })
    await using client = openTestClient(config, {}, { lastWordsMs: 10_000 })
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: 'the server exited with code 7',
      willRetry: true,
    })
  })

  test(
    'the exit is reported even if this process is too busy to see it in time',
    { concurrent: false },
    async () => {
      await using temp = await openTempDir()
      const gate = join(temp.path, 'gate')
      const args = ['-c', 'exec 0<&-; until [ -e "$0" ]; do sleep 0.01; done; exit 7', gate]
      const lastWordsMs = 500
      await using client = openTestClient(
        faultyServer('none', '', { command: '/bin/sh', args }),
        {},
        { lastWordsMs },
      )
      // The program ends while this thread sleeps. When the thread wakes, its timers come before what has arrived.
      const sleepLong = () => {
        writeFileSync(gate, '')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * lastWordsMs)
      }
      setTimeout(() => setImmediate(sleepLong), 100)
      await client.settled
      expect(client.status).toMatchObject({
        state: 'error',
        reason: 'the server exited with code 7',
        willRetry: true,
      })
    },
  )

  test('a death by signal is reported with the signal', async () => {
    await using client = openTestClient(faultyServer('killed-at-once'))
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: 'the server was ended by SIGKILL',
      willRetry: true,
    })
  })

  test.each(['hang-initialize', 'hang-list'])('%s ends with the time to connect', async (fault) => {
    await using client = openTestClient(faultyServer(fault, '', { connectTimeoutMs: 500 }))
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: 'did not answer within 0.5 s',
      willRetry: true,
    })
  })

  test.each([
    ['wrong-version', 'supports no MCP version that Ostler supports', false],
    ['refuse-initialize', 'the database is away', true],
    ['wrong-shape', 'invalid', true],
    ['exit-after-handshake', 'exited with code 4', true],
    ['refuse-list', 'no list today', true],
    ['list-without-tools', 'without a list', true],
  ])('%s', async (fault, reason, willRetry) => {
    await using client = openTestClient(faultyServer(fault))
    await client.settled
    expect(client.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining(reason),
      willRetry,
    })
  })

  test('a server that keeps failing for the same reason is logged once', async () => {
    await using client = openTestClient(
      faultyServer('exit-at-once'),
      {},
      { quickRetriesMs: [1, 1], slowRetriesMs: [1] },
    )
    const said = await until('four failures', () => {
      const lines = client.log.filter(({ message }) => message.startsWith('MCP server faulty: '))
      return lines.length >= 4 && lines
    })
    expect(said.slice(0, 4).map(({ level }) => level)).toEqual(['warn', 'debug', 'debug', 'debug'])
  })

  test('a server that is down for longer than the quick retries is found when it is up', async () => {
    await using temp = await openTempDir()
    const script = join(temp.path, 'server.mjs')
    await using client = openTestClient(
      nodeServer([script]),
      {},
      { quickRetriesMs: [1], slowRetriesMs: [1, 50] },
    )
    await until('the slow retries', () => client.status.state === 'connecting' && client.status.attempt > 4)
    await writeFile(
      script,
      `process.argv[2] = 'none'; await import(${JSON.stringify(faultyServer('none').args[0])})`,
    )
    await until('the connection', () => client.status.state === 'connected')
    expect(names(client)).toEqual(['echo'])
  })

  test('a server that is never retried is tried for a session and for the person', async () => {
    await using temp = await openTempDir()
    const script = join(temp.path, 'server.mjs')
    await using client = openTestClient(
      nodeServer([script], { retryAttempts: 0 }),
      {},
      { attemptAgainMs: 20 },
    )
    await client.settled
    expect(client.status).toMatchObject({ state: 'error', willRetry: false })
    await client.reconnect()
    expect(client.status).toMatchObject({ state: 'error', willRetry: false })
    await writeFile(
      script,
      `process.argv[2] = 'none'; await import(${JSON.stringify(faultyServer('none').args[0])})`,
    )
    await until('an attempt for a session', () => {
      client.wake()
      return client.status.state !== 'error'
    })
    await client.settled
    expect(names(client)).toEqual(['echo'])
  })

  test('a server that does not come back loses its tools, until it is back', async () => {
    await using temp = await openTempDir()
    const script = join(temp.path, 'server.mjs')
    const works = `process.argv[2] = 'kill-call'; await import(${JSON.stringify(faultyServer('none').args[0])})`
    await writeFile(script, works)
    await using client = openTestClient(
      nodeServer([script]),
      {},
      { quickRetriesMs: [1], slowRetriesMs: [50] },
    )
    await client.settled
    await writeFile(script, 'process.exit(5)')
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.server_stopped' })
    expect(names(client)).toEqual(['echo'])
    await until('the end of the quick retries', () => client.tools.length === 0)
    await writeFile(script, works)
    await until('the connection', () => client.status.state === 'connected')
    expect(names(client)).toEqual(['echo'])
  })

  test('a connected server is restarted for the person', async () => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'starts')
    await using client = await openConnected(faultyServer('crash-once', file))
    await client.reconnect()
    expect(client.status.state).toBe('connected')
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2)
    expect(client.log.filter(({ level }) => level === 'warn')).toEqual([])
  })
})

describe.concurrent('noise', () => {
  test.each(['banner', 'glued-banner', 'stderr-flood', 'stdout-flood'])(
    '%s does not get in the way',
    async (fault) => {
      await using client = await openConnected(faultyServer(fault))
      expect(await callText(client, 'echo', { message: 'hi' })).toBe('Echo: hi')
    },
  )

  test('a banner is logged once, without its colors', async () => {
    await using client = await openConnected(faultyServer('banner'))
    const warnings = client.log.filter((line) => line.level === 'warn')
    expect(warnings).toEqual([
      {
        level: 'warn',
        message: 'MCP server faulty writes invalid messages to stdout',
        fields: { text: 'Welcome to Faulty!' },
      },
    ])
  })

  test('floods of notifications do not delay the answer', async () => {
    await using client = await openConnected(faultyServer('notification-flood'))
    expect(await callText(client, 'echo')).toBe('flooded')
    expect(client.log.length).toBeLessThan(100)
  })
})

describe('a server that sends too fast', () => {
  test('has to wait, even when some of its messages are long', async () => {
    await using client = await openConnected(faultyServer('long-flood'))
    // All lines come within the same second, however busy the machine is.
    using _ = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    expect(await callText(client, 'echo')).toBe('flooded')
    // Once for each 5,000 lines.
    expect(
      client.log.filter(({ message }) => message === 'MCP server faulty writes too fast, and has to wait'),
    ).toHaveLength(2)
  })
})

describe.concurrent('a list of tools', () => {
  test('loses its malformed tools and keeps the others', async () => {
    await using client = await openConnected(faultyServer('malformed-tools'))
    expect(names(client)).toEqual([
      'good-1',
      'null-description',
      'twice',
      'bad-output',
      'bad-output-2',
      'good-2',
    ])
    expect(client.status).toMatchObject({ state: 'connected', warnings: { length: 9 } })
    expect(await callText(client, 'bad-output', { message: 'x' })).toBe('Echo: x')
  })

  test.each([
    ['endless-list', 100, 'more than 100 pages'],
    ['repeating-list', 2, 'repeats itself'],
    ['huge-cursor', 1, 'larger than 64 KiB'],
    ['broken-second-page', 1, 'ended unexpectedly after 1 pages'],
    ['many-tools', 2_000, 'only the first 2000 tools'],
    ['large-pages', 638, 'the list is over 8 MiB; its first 638 entries are used'],
  ])('%s is kept as far as possible', async (fault, count, warning) => {
    await using client = await openConnected(faultyServer(fault))
    expect(client.tools).toHaveLength(count)
    expect(client.status).toMatchObject({ warnings: [expect.stringContaining(warning)] })
  })

  test('loses only the tool with a bottomless schema', async () => {
    await using client = await openConnected(faultyServer('bottomless-schema'))
    expect(names(client)).toEqual(['echo'])
    expect(client.status).toMatchObject({
      warnings: ['tool "deep" left out: its input schema is nested deeper than 32'],
    })
  })

  test('does not wait for missing prompts', async () => {
    await using client = await openConnected(faultyServer('hang-prompts'), {}, { promptListMs: 100 })
    expect(names(client)).toEqual(['echo'])
    expect(client.status).toMatchObject({ warnings: ['the prompts could not be listed'] })
  })

  test('follows a cursor that is an empty text', async () => {
    await using client = await openConnected(faultyServer('empty-cursor'))
    expect(names(client)).toEqual(['first', 'second'])
  })

  test('is fetched again when it has changed', async () => {
    await using client = await openConnected(faultyServer('list-changed'))
    let changes = 0
    const stop = client.onChange(() => changes++)
    await call(client, 'echo')
    await until('the new tool', () => names(client).includes('appeared'))
    expect(changes).toBe(1)
    stop()
  })

  test('is fetched once for a burst of changes', async () => {
    await using client = await openConnected(faultyServer('count-lists'), {}, { listChangedMs: 200 })
    expect(names(client)).toEqual(['list-1'])
    expect(await callText(client, 'echo')).toBe('1')
    await until('the next list', () => names(client)[0] !== 'list-1')
    // The server answers in order, so it has received all requests that the burst led to.
    expect(Number(await callText(client, 'echo'))).toBeLessThan(20)
  })

  test('stays unchanged when the next fetch fails', async () => {
    await using client = await openConnected(faultyServer('refuse-second-list'))
    await call(client, 'echo')
    await until('the warning', () =>
      client.log.some((line) => line.message.includes('have changed but could not be listed')),
    )
    expect(names(client)).toEqual(['echo'])
    expect(client.status.state).toBe('connected')
  })
})

describe.concurrent('a call', () => {
  /** A server on which each call names its own fault. */
  let shared: TestClient
  beforeAll(async () => void (shared = await openConnected(faultyServer('none'))))
  afterAll(() => shared[Symbol.asyncDispose]())

  test.each([
    ['hang-call', 'timed out after 0.5 s', 'mcp.call_timeout'],
    ['invalid-json', 'not valid JSON-RPC', 'mcp.call_failed'],
    ['result-and-error', 'not valid JSON-RPC', 'mcp.call_failed'],
    ['wrong-id', 'timed out after 0.5 s', 'mcp.call_timeout'],
    ['string-id', 'timed out after 0.5 s', 'mcp.call_timeout'],
    ['huge-result-id-first', 'result too large: the message is over 10 MiB', 'mcp.result_too_large'],
    ['protocol-error', 'bad arguments, token [redacted]', 'mcp.call_failed'],
  ])('%s fails with an explanation', async (fault, message, code) => {
    // Only calls without an answer wait for the timeout.
    const timeoutMs = code === 'mcp.call_timeout' ? 500 : 30_000
    await expect(call(shared, 'echo', { fault }, timeoutMs)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  test.each([
    ['crash-call', 'the server exited with code 9; the tool may have run', 'mcp.server_stopped'],
    ['kill-call', 'the server was ended by SIGKILL; the tool may have run', 'mcp.server_stopped'],
    ['half-answer', 'the server exited with code 1; the tool may have run', 'mcp.server_stopped'],
    ['close-stdout', 'closed its output; the tool may have run', 'mcp.server_stopped'],
    ['endless-line', 'result too large: the message is over 10 MiB', 'mcp.result_too_large'],
  ])('%s, after which its server is of no use, fails with an explanation', async (fault, message, code) => {
    await using client = await openConnected(faultyServer(fault))
    await expect(call(client, 'echo')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  test.each([
    ['two-answers', 'first'],
    ['content-not-a-list', 'alone'],
    ['error-without-content', ''],
    ['no-structured', 'no structure'],
    ['array-structured', '[1]'],
  ])('an odd result is read as far as possible: %s', async (fault, text) => {
    expect(await callText(shared, 'echo', { fault })).toBe(text)
  })

  test('has its items counted', async () => {
    const { content } = await call(shared, 'echo', { fault: 'many-items' })
    expect(content).toHaveLength(2_001)
    expect(content.at(-1)).toEqual({ type: 'text', text: '[8000 more content items left out]' })
  })

  test('with a huge result fails alone', async () => {
    const fault = 'huge-result'
    const huge = call(shared, 'echo', { fault, message: 'huge' })
    const small = call(shared, 'echo', { fault, message: 'small' })
    await expect(huge).rejects.toMatchObject({
      code: 'mcp.result_too_large',
      message: 'result too large: the message is over 10 MiB',
    })
    await expect(small).resolves.toMatchObject({ content: [{ text: 'small' }] })
    expect(await callText(shared, 'echo', { fault, message: 'after' })).toBe('small')
  })

  test('with more names than may be parsed in one go fails alone', async () => {
    const fault = 'many-names'
    const many = call(shared, 'echo', { fault, message: 'many' })
    const small = callText(shared, 'echo', { fault, message: 'small' })
    await expect(many).rejects.toMatchObject({
      code: 'mcp.result_too_large',
      message: 'result too large: the message holds more than 100000 values',
    })
    expect(await small).toBe('small')
    expect(shared.status.state).toBe('connected')
  })

  test('with a flood of progress can be cancelled, and the next one works', async () => {
    await using client = await openConnected(faultyServer('progress-flood'))
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
    expect(await callText(client, 'echo', { message: 'after' })).toBe('no flood')
  })

  test('lasts as long as it reports progress', async () => {
    await using client = await openConnected(faultyServer('slow-progress'))
    const steps: string[] = []
    const { content } = await client.callTool(
      'echo',
      {},
      {
        signal: new AbortController().signal,
        timeoutMs: 1_000,
        onProgress: ({ message }) => steps.push(message ?? ''),
      },
    )
    expect(content).toEqual([{ type: 'text', text: 'finished' }])
    expect(steps).toContain('step 1')
  })

  test('shows a limited number of progress updates', async () => {
    await using client = await openConnected(faultyServer('endless-progress'))
    const cancel = new AbortController()
    let shown = 0
    let reported = 0
    const result = client.callTool(
      'echo',
      {},
      {
        signal: cancel.signal,
        onProgress: ({ progress }) => {
          shown++
          reported = progress
          if (reported > 100) cancel.abort()
        },
      },
    )
    await expect(result).rejects.toMatchObject({ code: 'mcp.cancelled' })
    expect(shown).toBeLessThan(reported / 2)
  })

  test('tells the server of its cancellation, but not why', async () => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'cancelled')
    await using client = await openConnected(faultyServer('log-cancel', file))
    const cancel = new AbortController()
    const result = client.callTool('echo', {}, { signal: cancel.signal })
    setTimeout(() => cancel.abort(new Error(`private ${canary}`)), 50)
    await expect(result).rejects.toMatchObject({ code: 'mcp.cancelled', message: 'cancelled' })
    await expect(call(client, 'echo', {}, 100)).rejects.toMatchObject({ code: 'mcp.call_timeout' })
    const reasons = await until('both notifications', async () => {
      const lines = (await readFile(file, 'utf8').catch(() => '')).trim().split('\n')
      return lines.length === 2 && lines
    })
    expect(reasons).toEqual(['cancelled by the user', 'timed out'])
  })

  test('is not sent if it was cancelled before it starts', async () => {
    const result = shared.callTool('echo', {}, { signal: AbortSignal.abort() })
    await expect(result).rejects.toMatchObject({ code: 'mcp.cancelled' })
  })

  test('goes to a new server after a crash, and the one that crashed is not repeated', async () => {
    await using temp = await openTempDir()
    const file = join(temp.path, 'starts')
    await using client = await openConnected(faultyServer('crash-once', file))
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.server_stopped' })
    expect(await callText(client, 'echo')).toBe('second life')
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2)
    expect(client.status.state).toBe('connected')
  })

  test('a crashed server restarts by itself', async () => {
    await using client = await openConnected(faultyServer('kill-call'), {}, { quickRetriesMs: [100] })
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'mcp.server_stopped' })
    expect(client.status).toMatchObject({ state: 'error', willRetry: true })
    expect(names(client)).toEqual(['echo'])
    await until('the connection', () => client.status.state === 'connected')
  })

  test('shares its server with sixty-three others, and the rest wait their turn', async () => {
    await using client = await openConnected(faultyServer('count-active'))
    const seen = await Promise.all(Array.from({ length: 80 }, () => callText(client, 'echo')))
    expect(Math.max(...seen.map(Number))).toBe(64)
  })

  test('is refused when too many wait, and can be cancelled while waiting', async () => {
    await using client = await openConnected(faultyServer('hang-call'))
    const cancel = new AbortController()
    const outcomes = Array.from({ length: 64 + 256 }, () =>
      client.callTool('echo', {}, { signal: cancel.signal }).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      ),
    )
    await expect(call(client, 'echo')).rejects.toMatchObject({ code: 'limits.busy' })
    cancel.abort()
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['mcp.cancelled']))
  })
})

describe.concurrent('a request of a server', () => {
  const form = [
    'elicitation/create',
    { message: 'Name?', requestedSchema: { type: 'object', properties: {} } },
  ]
  const url = (to: string) => [
    'elicitation/create',
    { mode: 'url', message: 'Open', url: to, elicitationId: 'e1' },
  ]
  const sampling = [
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
  ]
  const asking = (...requests: unknown[]) => faultyServer('ask-host', JSON.stringify(requests))

  test('is refused, and a question declined, if the host does not support it', async () => {
    await using client = await openConnected(
      asking(form, sampling, ['unheard/of', {}], ['roots/list', {}], ['ping', {}]),
      {
        roots: ['/a b'],
      },
    )
    expect(JSON.parse(await callText(client, 'echo'))).toEqual([
      { action: 'decline' },
      -32601,
      -32601,
      { roots: [{ uri: 'file:///a%20b', name: 'a b' }] },
      {},
    ])
  })

  test('reaches the host with the name of the server', async () => {
    const asked: unknown[] = []
    await using client = await openConnected(asking(form, url('https://example.org/x'), sampling), {
      elicit: async (request) => {
        asked.push(request)
        return { verdict: 'deny' }
      },
      sample: async (request) => {
        asked.push(request)
        return { model: 'm', text: 'yes', stopReason: 'maxTokens' }
      },
    })
    const answers = JSON.parse(await callText(client, 'echo'))
    expect(answers).toEqual([
      { action: 'decline' },
      { action: 'decline' },
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'yes' }, stopReason: 'maxTokens' },
    ])
    expect(asked).toEqual([
      { server: 'faulty', kind: 'form', message: 'Name?', schema: { type: 'object', properties: {} } },
      { server: 'faulty', kind: 'page', message: 'Open', url: 'https://example.org/x', elicitationId: 'e1' },
      {
        server: 'faulty',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
        maxTokens: 5,
      },
    ])
  })

  test('is declined when the host fails, and for anything but a web page', async () => {
    const fail = async () => {
      throw new Error(canary)
    }
    await using client = await openConnected(
      asking(form, url('file:///etc/passwd'), url('javascript:alert(1)'), sampling),
      {
        elicit: fail,
        sample: fail,
      },
    )
    expect(JSON.parse(await callText(client, 'echo'))).toEqual([
      { action: 'cancel' },
      { action: 'cancel' },
      { action: 'cancel' },
      -1,
    ])
  })

  test('stops the clock of the call while a person answers', async () => {
    await using client = await openConnected(asking(form), {
      elicit: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        return { verdict: 'allow', values: {} }
      },
    })
    const { content } = await call(client, 'echo', {}, 700)
    expect(content).toEqual([{ type: 'text', text: '[{"action":"accept","content":{}}]' }])
  })

  test('is declined if it is too long to read', async () => {
    const wide = {
      type: 'object',
      properties: { a: { type: 'string', enum: Array.from({ length: 20_000 }, (_, index) => `v${index}`) } },
    }
    const longForm = (requestedSchema: unknown) => [
      'elicitation/create',
      { message: 'Name?', requestedSchema },
    ]
    const long = [
      'elicitation/create',
      { message: 'x'.repeat(2_000_000), requestedSchema: { type: 'object', properties: {} } },
    ]
    const message = { role: 'user', content: { type: 'text', text: 'hi' } }
    const many = [
      'sampling/createMessage',
      { messages: Array.from({ length: 1_001 }, () => message), maxTokens: 5 },
    ]
    await using dir = await openTempDir()
    const file = join(dir.path, 'requests.json')
    await writeFile(
      file,
      JSON.stringify([longForm(wide), long, url(`https://example.com/${'x'.repeat(10_000)}`), many]),
    )
    const questions: unknown[] = []
    const asked = (question: unknown) => {
      questions.push(question)
      return Promise.reject(new Error('nobody should be asked'))
    }
    await using client = await openConnected(faultyServer('ask-host', `@${file}`), {
      elicit: asked,
      sample: asked,
    })
    expect(JSON.parse(await callText(client, 'echo'))).toEqual([
      { action: 'cancel' },
      { action: 'cancel' },
      { action: 'cancel' },
      -1,
    ])
    expect(questions).toEqual([])
  })

  test('is withdrawn when its call is cancelled', async () => {
    const cancel = new AbortController()
    const takenBack = Promise.withResolvers<void>()
    await using client = await openConnected(faultyServer('ask-and-hang', JSON.stringify(form[1])), {
      elicit: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            takenBack.resolve()
            reject(new Error('taken back'))
          })
          cancel.abort()
        }),
    })
    await expect(client.callTool('echo', {}, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'mcp.cancelled',
    })
    await takenBack.promise
  })
})
