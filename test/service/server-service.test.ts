import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStoredState } from '../../packages/agent-api/src/state/open-state.ts'
import {
  toDiscoveredTools,
  type ConnectionStatus,
  type ServerService,
} from '../../packages/workbench/src/index.ts'
import { fixturePath, startHttpFixture } from '../support/mcp-clients.ts'
import { isAlive, processesWithArgument, until } from '../support/processes.ts'
import { connect, errorOf, openServiceLab, stdioEntry, type ServiceLab } from '../support/service-lab.ts'

const token = 'tok-4f9c1b7e0d2a-LAST'
const whole = (over: object = {}) => ({ ...stdioEntry('whole-server.mjs', 'stdio'), ...over })
const command = { origin: 'command' } as const

async function addWhole(service: ServerService, over: object = {}): Promise<string> {
  return (await service.addServer({ name: 'whole', entry: whole(over) })).id
}

function statesOf(service: ServerService, id: string): ConnectionStatus[] {
  const states: ConnectionStatus[] = []
  let last = service.server(id).status.state
  service.onChange(() => {
    const { status } = service.server(id)
    if (status.state !== last) states.push(status)
    last = status.state
  })
  return states
}

function callsIn(lab: ServiceLab) {
  using history = openStoredState({ stateDir: lab.stateDir })
  return history?.calls.list({ limit: 10 }) ?? []
}

describe('connecting', () => {
  it('keeps its calls when it is renamed', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service)
    await service.server(id).call('add', { a: 1, b: 2 }, command)
    await service.updateServer(id, { name: 'renamed' })
    await service.server(id).call('add', { a: 1, b: 2 }, command)
    expect(callsIn(lab).map(({ server, tool }) => [server, tool])).toEqual([
      ['renamed', 'add'],
      ['renamed', 'add'],
    ])
  })

  it('reports what the server offers, the duration of each part, and the time', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service)
    const states = statesOf(service, id)
    const found = await connect(service, id)
    expect(found.server).toEqual({
      name: 'whole',
      version: '1.2.3',
      protocolVersion: '2025-06-18',
      hasResources: true,
    })
    expect(found.tools.map(({ name }) => name)).toEqual([
      'add',
      'variable',
      'length',
      'fail',
      'slow',
      'never',
    ])
    expect(found.tools[0]).toMatchObject({
      description: 'Adds two numbers',
      config: { timeoutMs: { value: 30_000, source: 'built-in' } },
    })
    expect(found.resources).toEqual([{ uri: 'note://one', name: 'one', mimeType: 'text/plain' }])
    expect(found.prompts).toMatchObject([{ name: 'greet' }])
    for (const ms of Object.values(found.phases)) expect(ms).toBeGreaterThan(0)
    expect(states).toEqual([{ state: 'connecting' }, { state: 'connected' }])
    const view = await service.getServer(id)
    expect(view).toMatchObject({ status: { state: 'connected' }, tools: 6 })
    expect(Date.parse(view.lastConnectedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(view.createdAt ?? ''))
    expect(view.updatedAt).toBe(view.createdAt)

    await service.server(id).disconnect()
    expect(states.at(-1)).toEqual({ state: 'disconnected' })
    expect(await processesWithArgument(lab.path)).toEqual([])
  })

  it('starts one server for all simultaneous requests, and ends it with the service', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const log = join(lab.path, 'log')
    const { id } = await service.addServer({
      name: 'fading',
      entry: stdioEntry('fading-server.mjs', 'stdio', log),
    })
    await Promise.all([connect(service, id), connect(service, id), service.server(id).use()])
    expect(await readFile(log, 'utf8')).toBe('start\n')
    const [pid = 0] = await processesWithArgument(log)
    expect(await isAlive(pid)).toBe(true)
    await service[Symbol.asyncDispose]()
    expect(await isAlive(pid)).toBe(false)
    expect((await errorOf(connect(service, id))).code).toBe('servers.closed')
  })

  it("reports the reason of a failure, with the server's last output, without secrets and control characters", async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const entry = { ...stdioEntry('whole-server.mjs', 'stdio', 'broken'), env: { API_TOKEN: token } }
    const { id } = await service.addServer({ name: 'broken', entry })
    const error = await errorOf(connect(service, id))
    expect(error.code).toBe('mcp.server_stopped')
    expect(error.data).toMatchObject({
      reason: 'the server exited with code 3',
      output: 'cannot log in with [redacted]',
    })
    expect(service.server(id).status).toEqual({
      state: 'error',
      reason: 'the server exited with code 3\ncannot log in with [redacted]',
      willRetry: false,
    })
    expect((await service.getServer(id)).lastConnectedAt).toBeUndefined()
  })

  it('reconnects a server that dies later, and reports each step', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const log = join(lab.path, 'log')
    const { id } = await service.addServer({
      name: 'fading',
      entry: stdioEntry('fading-server.mjs', 'stdio', log),
    })
    await connect(service, id)
    const states = statesOf(service, id)
    const [pid = 0] = await processesWithArgument(log)
    process.kill(pid, 'SIGKILL')
    await until('the second connection', () => states.some(({ state }) => state === 'connected'))
    expect(states).toEqual([
      { state: 'error', reason: 'the server was ended by SIGKILL', willRetry: true },
      { state: 'connecting' },
      { state: 'connected' },
    ])
  })

  it('continues with an updated configuration', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service, { env: { COLOUR: 'red' } })
    const colour = async () =>
      (await service.server(id).call('variable', { name: 'COLOUR' }, command)).result.content
    expect(await colour()).toEqual([{ type: 'text', text: 'red' }])
    await service.updateServer(id, { entry: { env: { COLOUR: 'blue' } } })
    expect(await colour()).toEqual([{ type: 'text', text: 'blue' }])
    // Another process changes it, and nobody has looked since.
    const other = await lab.open()
    await other.updateServer(id, { entry: { env: { COLOUR: 'green' } } })
    expect(await colour()).toEqual([{ type: 'text', text: 'green' }])

    await service.updateServer(id, { enabled: false })
    expect(service.server(id).status).toEqual({ state: 'disconnected' })

    await service.updateServer(id, { enabled: true })
    await connect(service, id)
    const states = statesOf(service, id)
    await service.updateServer(id, { name: 'renamed' })
    await until('the new connection', () => states.at(-1)?.state === 'connected')
    expect(states.map(({ state }) => state)).toEqual(['disconnected', 'connecting', 'connected'])
  })

  const basic = `Basic ${Buffer.from(`me:${token}`).toString('base64')}`
  const ways = [
    { title: 'bearer', how: { auth: { type: 'bearer', token } }, value: `Bearer ${token}` },
    { title: 'basic', how: { auth: { type: 'basic', username: 'me', password: token } }, value: basic },
    { title: 'api-key', how: { auth: { type: 'api-key', key: token } }, value: token, header: 'x-api-key' },
    {
      title: 'api-key in a header of its own',
      how: { auth: { type: 'api-key', key: token, header: 'X-Own' } },
      value: token,
      header: 'x-own',
    },
    { title: 'a header', how: { headers: { Authorization: `Token ${token}` } }, value: `Token ${token}` },
  ]

  // Headers do not depend on the transport.
  const overSse = ways.filter(({ title }) => title === 'bearer' || title === 'api-key')
  it.each([
    ...ways.map((way) => ({ type: 'http', ...way })),
    ...overSse.map((way) => ({ type: 'sse', ...way })),
  ])('over $type shows who it is: $title', async (way) => {
    const { type, how, value, header = 'authorization' } = way
    await using lab = await openServiceLab()
    await using server = await startHttpFixture('whole-server.mjs', type, value, header)
    const service = await lab.open()
    const { id } = await service.addServer({ name: 'web', entry: { type, url: server.url, ...how } })
    expect(await connect(service, id)).toMatchObject({ server: { name: 'whole' } })
    // Calls authenticate, too, not only the connection.
    expect(await service.server(id).call('add', { a: 2, b: 3 }, command)).toMatchObject({
      outcome: 'success',
    })
    expect(await lab.stateBytes()).not.toContain(token)
    const wrong = await service.updateServer(id, {
      entry: 'auth' in how ? { auth: null } : { headers: null },
    })
    expect(wrong.secrets).toEqual([])
    expect(await errorOf(connect(service, id))).toMatchObject({
      code: 'mcp.needs_login',
      message: 'It needs a login. Run: ostler mcp login web',
    })
    expect(service.server(id).status).toMatchObject({ state: 'error', needsLogin: true })
    expect(await service.getServer(id)).toMatchObject({ login: 'needed' })
  })
})

it('a server gets no roots, which would replace the folders of its own command line', async () => {
  await using lab = await openServiceLab()
  const service = await lab.open({ isWatched: true })
  const id = await addWhole(service)
  await connect(service, id)
  const [first] = (await service.server(id).protocol()).messages
  const { message } = service.server(id).message(first?.seq ?? 0)
  expect(message).toMatchObject({
    method: 'initialize',
    params: { capabilities: expect.not.objectContaining({ roots: {} }) },
  })
})

describe('a test of a connection', () => {
  it('needs nothing stored, and leaves nothing', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const found = await service.testServer({ name: 'new', entry: whole() })
    expect(found.tools).toHaveLength(6)
    expect(await service.listServers()).toEqual([])
    expect((await errorOf(service.testServer({ name: 'new', entry: { type: 'stdio' } }))).code).toBe(
      'config.invalid',
    )
    const failed = await errorOf(
      service.testServer({ name: 'new', entry: { type: 'stdio', command: 'no-such-command' } }),
    )
    expect(failed).toMatchObject({
      code: 'mcp.command_not_found',
      data: { reason: 'command not found: no-such-command' },
    })
  })

  it('uses the stored secrets that the form only mentions', async () => {
    await using lab = await openServiceLab()
    await using server = await startHttpFixture('whole-server.mjs', 'http', `Bearer ${token}`)
    const service = await lab.open()
    const { id, name, entry } = await service.addServer({
      name: 'web',
      entry: { type: 'http', url: server.url, auth: { type: 'bearer', token } },
    })
    expect(entry['auth']).toEqual({ type: 'bearer', token: '${secret:auth.token}' })
    expect(await service.testServer({ id, name, entry })).toMatchObject({ server: { name: 'whole' } })
    expect((await errorOf(service.testServer({ id, name, entry: { ...entry, auth: null } }))).code).toBe(
      'mcp.needs_login',
    )
    expect(service.server(id).status).toEqual({ state: 'disconnected' })
  })
})

describe('calling a tool by hand', () => {
  it('takes the path of every call, with the person as the rule', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service)
    const done = await service.server(id).call('add', { a: 2, b: 3 }, { origin: 'console' })
    expect(done).toEqual({
      callId: expect.stringMatching(/^call_/),
      outcome: 'success',
      result: { isError: false, content: [{ type: 'text', text: '5' }], structured: { sum: 5 } },
    })
    expect(callsIn(lab)).toMatchObject([
      {
        id: done.callId,
        server: 'whole',
        tool: 'add',
        status: 'success',
        decision: 'allow',
        rule: 'person:console',
        sessionId: null,
      },
    ])
  })

  it('records calls that never ran, and failures', async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service)
    expect((await service.server(id).call('add', { a: 'x' }, command)).outcome).toBe('invalid')
    expect((await service.server(id).call('gone', {}, command)).outcome).toBe('unknown')
    expect(await service.server(id).call('fail', {}, command)).toMatchObject({
      outcome: 'error',
      result: { isError: true },
    })
    expect(
      (await service.server(id).call('never', {}, { ...command, timeoutMs: 200 })).result.content,
    ).toEqual([{ type: 'text', text: 'MCP error: timed out after 0.2 s' }])
    const controller = new AbortController()
    const cancelled = service.server(id).call('never', {}, { ...command, signal: controller.signal })
    await until('the call', () => callsIn(lab)[0]?.status === 'running')
    controller.abort()
    expect((await cancelled).outcome).toBe('cancelled')
    expect(callsIn(lab).map(({ tool, status, rule }) => [tool, status, rule])).toEqual([
      ['never', 'cancelled', 'person:command'],
      ['never', 'error', 'person:command'],
      ['fail', 'error', 'person:command'],
      ['gone', 'error', 'unknown'],
      ['add', 'error', null],
    ])
  })

  it("shows progress, and respects the server's rate limit", async () => {
    await using lab = await openServiceLab()
    const service = await lab.open()
    const id = await addWhole(service, { rateLimit: { calls: 1, per: '1h' } })
    const told: string[] = []
    expect(
      (await service.server(id).call('slow', {}, { ...command, onProgress: (text) => told.push(text) }))
        .outcome,
    ).toBe('success')
    expect(told[0]).toMatch(/^Progress: [123]$/)
    const stop = AbortSignal.timeout(300)
    expect((await service.server(id).call('add', { a: 1, b: 1 }, { ...command, signal: stop })).outcome).toBe(
      'cancelled',
    )
    expect(callsIn(lab)[0]).toMatchObject({ tool: 'add', status: 'cancelled', decision: 'allow' })
  })

  it('finds no unconfigured tool of a strict server', async () => {
    await using lab = await openServiceLab()
    const file = await lab.writeAgentFile({
      toolbox: { tools: [{ name: 'add', server: 'whole', timeout: '3s' }] },
    })
    const service = await lab.open({ file })
    const id = await addWhole(service, { mode: 'strict' })
    const tools = toDiscoveredTools(await service.server(id).use())
    expect(
      tools.filter(({ config }) => config !== undefined).map(({ name, config }) => [name, config?.timeoutMs]),
    ).toEqual([['add', { value: 3_000, source: 'toolbox.tools[0]' }]])
    expect((await service.server(id).call('add', { a: 1, b: 1 }, command)).outcome).toBe('success')
    expect(await errorOf(service.server(id).call('length', { name: 'PATH' }, command))).toMatchObject({
      code: 'mcp.unknown_tool',
      message:
        "The tool 'length' of the server 'whole' cannot be called: the server is strict and toolbox.tools does not have it.",
    })
    expect(callsIn(lab).map(({ tool }) => tool)).toEqual(['add'])
  })
})

it('starts a stored server in the home directory, and one that its author has just typed where they are', async () => {
  await using lab = await openServiceLab()
  const [home, project] = ['home', 'project'].map((name) => join(lab.path, name)) as [string, string]
  const note = join(lab.path, 'note')
  for (const folder of [home, project]) {
    await mkdir(folder)
    const program = `require('node:fs').appendFileSync(${JSON.stringify(note)}, process.cwd() + '\\n'); import(${JSON.stringify(fixturePath('sum-server.mjs'))})`
    await writeFile(join(folder, 'server.cjs'), program)
  }
  const service = await lab.open({ env: { HOME: home }, cwd: project })
  const entry = { type: 'stdio', command: process.execPath, args: ['server.cjs'] }
  const { id } = await service.addServer({ name: 'sums', entry })
  await connect(service, id)
  expect(await readFile(note, 'utf8')).toBe(`${home}\n`)
  await service.examineServer({ name: 'typed', entry })
  expect(new Set((await readFile(note, 'utf8')).split('\n').slice(1, -1))).toEqual(new Set([project]))
})
