import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import type { AgentView, Policy, AllServers } from '../../packages/console/src/api.ts'
import type { AcpPeer } from '../support/acp-peer.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { linesOf, openConsole, openConsoleProcess, openEvents } from './console-process.ts'

const offered = (lab: AgentLab) => (lab.model.requests.at(-1)?.tools ?? []).map(({ name }) => name)

/** The model calls a tool once and accepts the result. */
const callOnce =
  (name: string) => (request: { messages: readonly { parts: readonly { type: string }[] }[] }) =>
    request.messages.at(-1)?.parts.some(({ type }) => type === 'tool_result') === true
      ? { text: 'ok' }
      : { toolCalls: [{ name, args: {} }] }

const besideOf = (lab: AgentLab) => ({
  args: ['--agent', join(lab.path, 'ostler.json')],
  stateDir: join(lab.path, 'state'),
  env: lab.model.env,
})
const openBeside = (lab: AgentLab) => openConsole(besideOf(lab))

async function openSession(
  editor: AcpPeer,
  lab: AgentLab,
  mcpServers: readonly unknown[] = [],
): Promise<string> {
  await editor.initialize()
  return (await editor.newSession({ cwd: lab.path, mcpServers })).sessionId
}

test('a running agent uses a server added here, and drops a removed one', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, 'go')
  expect(offered(lab)).not.toContain('work__alpha')

  await using console = await openBeside(lab)
  const { json: added } = await console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'work',
    entry: { type: 'stdio', ...lab.command('work') },
  })
  const isOffered = async () => {
    // The agent looks for changes a few times a second.
    await sleep(100)
    await editor.prompt(sessionId, 'go')
    return offered(lab).includes('work__alpha')
  }
  await until('the tool', isOffered)
  expect((await console.ask('DELETE', `/api/servers/${added.id}`)).status).toBe(200)
  await until('its end', async () => !(await isOffered()))
})

test("a session's call is streamed while it runs, and complete afterwards", async () => {
  await using lab = await openAgentLab(callOnce('work__alpha'))
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using editor = await lab.open({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } }),
  })
  const sessionId = await openSession(editor, lab, [{ name: 'work', ...lab.command('work'), env: [] }])
  await using console = await openBeside(lab)
  await using events = await openEvents(console)
  await editor.prompt(sessionId, 'go')
  const seen = (await events.next('calls', ({ calls }: { calls: { tool: string; status: string }[] }) =>
    calls.some(({ tool, status }) => tool === 'alpha' && status === 'success'),
  )) as { calls: { id: string; sessionId: string; server: string }[] }
  const call = seen.calls.at(-1)!
  expect(call).toMatchObject({ sessionId, server: 'work' })

  expect((await console.ask('GET', `/api/calls/${call.id}`)).json).toMatchObject({
    result: { content: [{ type: 'text', text: 'alpha is done' }] },
  })
  const list = (query: string) =>
    console
      .ask('GET', `/api/calls?${query}`)
      .then(({ json }) => json.calls.map(({ id }: { id: string }) => id))
  for (const query of [
    `session=${sessionId}`,
    'server=work',
    'tool=alpha',
    'status=success',
    'text=done',
    `session=${sessionId}&turn=1`,
  ])
    expect([query, await list(query)]).toEqual([query, [call.id]])
  for (const query of ['server=-', 'status=error', 'text=undone', 'until=2000-01-01T00:00:00Z', `before=1`])
    expect([query, await list(query)]).toEqual([query, []])
  expect((await console.ask('GET', '/api/calls/filters')).json).toEqual({
    servers: ['work'],
    tools: ['alpha'],
  })
  expect((await console.ask('GET', '/api/calls/statistics?days=2&server=work')).json.days).toMatchObject([
    { server: 'work', calls: 1, errors: 0 },
  ])

  const { json: sessions } = await console.ask('GET', '/api/sessions')
  expect(sessions.sessions).toMatchObject([{ id: sessionId, turns: 1 }])
  const { json: session } = await console.ask('GET', `/api/sessions/${sessionId}`)
  expect(session.calls).toMatchObject([{ id: call.id }])
  expect(session.entries[0]).toMatchObject({ turn: 1, kind: 'prompt' })
  // It is published a moment after the session was opened.
  const isOpen = async () => (await console.ask('GET', `/api/sessions/${sessionId}`)).json.isOpen
  await expect.poll(isOpen, { timeout: 20_000 }).toBe(true)
})

test('the servers of sessions are shown only while the sessions are open', async () => {
  await using lab = await openAgentLab()
  await lab.offer('own', ['one', 'two'])
  await lab.offer('work', ['alpha'])
  const entry = { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('own') }
  await lab.writeAgentFile({ mcpServers: { own: entry } })
  await using console = await openBeside(lab)
  const live = async () => (await console.ask('GET', '/api/servers')).json.live
  expect(await live()).toEqual([])

  await using editor = await lab.start()
  await using events = await openEvents(console)
  const servers = [
    { name: 'work', ...lab.command('work'), env: [{ name: 'API_TOKEN', value: 'hush-hush-hush' }] },
    { name: 'broken', command: 'no-such-program', args: ['--token=hush-hush-hush'], env: [] },
  ]
  const sessionId = await openSession(editor, lab, servers)
  const find = (name: string, list: { name: string }[]) => list.find((server) => server.name === name)
  const shown = await until('the servers', async () => {
    const list = await live()
    return (
      find('work', list) &&
      find('own', list) &&
      list.every(({ status }: { status: string }) => status !== 'connecting') &&
      list
    )
  })
  expect(find('own', shown)).toMatchObject({
    owner: 'agent',
    sessionId: null,
    transport: 'stdio',
    status: 'connected',
    tools: 2,
  })
  expect(find('work', shown)).toMatchObject({
    owner: 'session',
    sessionId,
    status: 'connected',
    tools: 1,
    prompts: 0,
    origin: expect.stringContaining('changing-server'),
  })
  expect(find('broken', shown)).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('no-such-program'),
  })
  expect(JSON.stringify(shown)).not.toContain('hush')
  await events.next('servers')

  await editor.request('session/close', { sessionId })
  await until('the end of the session', async () =>
    (await live()).every(({ owner }: { owner: string }) => owner === 'agent'),
  )
  await editor.newSession({ cwd: lab.path, mcpServers: servers })
  await until('the next session', async () => find('work', await live()))
  editor.child.kill('SIGKILL')
  await until('the end of the agent', async () => (await live()).length === 0)
  // Rows of a killed process are removed when the state is opened again.
  using _ = createStoredState({ stateDir: join(lab.path, 'state') })
  expect((await console.ask('GET', '/api/servers')).json.live).toEqual([])
})

test("the state of an agent's server is that of the running one", async () => {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({
    mcpServers: { own: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('own') } },
  })
  await using console = await openBeside(lab)
  const own = async () => (await console.ask('GET', '/api/agent')).json.servers[0]
  expect(await own()).toMatchObject({ name: 'own', enabled: true, shadowed: false, live: [], tools: null })
  // The console fails to connect to it, and the agent does not.
  const { id } = (await console.ask('GET', '/api/servers')).json.servers[0]
  await console.ask('POST', `/api/servers/${id}/connect`, { confirmed: true })
  expect(await own()).toMatchObject({ live: [] })
  await lab.offer('own', ['one', 'two'])
  await using editor = await lab.open()
  await openSession(editor, lab)
  await until('its tools', async () => (await own()).tools === 2)
  expect(await own()).toMatchObject({ live: [{ status: 'connected' }] })
})

test('a change of the agent file applies to an agent started afterwards', async () => {
  await using lab = await openAgentLab(callOnce('work__alpha'))
  await lab.offer('work', ['alpha'])
  const entry = { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') }
  await lab.writeAgentFile({ mcpServers: { work: entry } })
  const asked = async () => {
    await using editor = await lab.open({
      onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } }),
    })
    await editor.prompt(await openSession(editor, lab), 'go')
    return editor.permissionRequests().length
  }
  expect(await asked()).toBe(1)

  await using console = await openBeside(lab)
  const { json: view } = (await console.ask('GET', '/api/agent')) as { json: AgentView }
  expect(view.settings.approval.mode).toBe('always-ask')
  expect(view.overridden).toEqual([])
  const settings = { ...view.settings, approval: { ...view.settings.approval, mode: 'auto' } }
  const { json: plan } = await console.ask('POST', '/api/agent/preview', { settings })
  expect(plan).toMatchObject({ version: view.version, issues: [], notes: [] })
  expect(plan.diff).toContain('+')
  expect((await console.ask('GET', '/api/agent')).json.settings.approval.mode).toBe('always-ask')

  const written = await console.ask('PUT', '/api/agent', { settings, version: plan.version })
  expect(written.json).toMatchObject({ settings: { approval: { mode: 'auto' } }, overridden: [] })
  expect(await asked()).toBe(0)
  expect(
    await console.ask('PUT', '/api/agent', { settings: view.settings, version: plan.version }),
  ).toMatchObject({
    status: 409,
    json: { code: 'config.changed' },
  })
  const wrong = { ...settings, toolBudget: 0 }
  expect(
    await console.ask('PUT', '/api/agent', { settings: wrong, version: written.json.version }),
  ).toMatchObject({
    status: 422,
    json: { issues: [{ path: ['toolBudget'] }] },
  })

  // Agents start what is selected, so the whole command line is confirmed once.
  const using = (enabled: boolean) => ({
    ...settings,
    mcpServers: { work: { ...settings.mcpServers['work'], enabled } },
  })
  const save = async (enabled: boolean, confirmed?: unknown) => {
    const { version } = (await console.ask('GET', '/api/agent')).json
    return console.ask('PUT', '/api/agent', { settings: using(enabled), version, confirmed })
  }
  expect((await save(false)).status).toBe(200)
  const { command, args } = lab.command('work')
  const { starts } = (await console.ask('POST', '/api/agent/preview', { settings: using(true) })).json
  expect(starts).toEqual([{ name: 'work', commandLine: [command, ...args].join(' ') }])
  expect(await save(true)).toMatchObject({ status: 409, json: { code: 'console.unconfirmed' } })
  expect((await save(true, [{ ...starts[0], commandLine: `${command} ${args[0]}` }])).status).toBe(409)
  expect((await save(true, starts)).status).toBe(200)
  expect((await console.ask('POST', '/api/agent/preview', { settings: using(true) })).json.starts).toEqual([])
  expect((await save(false)).status).toBe(200)
  expect((await save(true)).status).toBe(200)
})

test('a grant given in the editor is shown, and can be revoked', async () => {
  await using lab = await openAgentLab(callOnce('work__alpha'))
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({
    mcpServers: { work: { type: 'stdio', mode: 'dynamic', defaultToolConfig: {}, ...lab.command('work') } },
  })
  const asked = async () => {
    await using editor = await lab.open({
      onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-always' } }),
    })
    await editor.prompt(await openSession(editor, lab), 'go')
    return editor.permissionRequests().length
  }
  expect(await asked()).toBe(1)
  await using console = await openBeside(lab)
  const look = async () => (await console.ask('POST', '/api/policy', {})).json as Policy
  const { grants } = await look()
  expect(grants).toMatchObject([
    {
      verdict: 'allow',
      server: 'work',
      tool: 'alpha',
      boundTo: { 'its description': expect.stringMatching(/^[\w-]{12}$/) },
    },
  ])
  expect(await asked()).toBe(0)
  expect(grants[0]?.changes).toEqual([])
  const alpha = ({ tools }: Policy) => tools.find(({ tool }) => tool === 'alpha')
  expect(alpha(await look())).toMatchObject({
    server: 'work',
    origin: 'file',
    now: { verdict: 'allow', rule: { by: 'grant', how: 'allow' } },
  })

  await lab.offer('work', [{ name: 'alpha', description: 'A third thing' }])
  {
    await using editor = await lab.open()
    await openSession(editor, lab)
    const isChanged = async () => (
      await sleep(100),
      (await look()).grants[0]?.changes?.[0] === 'its description'
    )
    await until('the change', isChanged)
  }
  expect(alpha(await look())?.now).toEqual({
    verdict: 'ask',
    rule: { by: 'pin', how: 'changed' },
    changes: ['its description'],
  })
  const { difference } = (await console.ask('GET', `/api/grants/${grants[0]!.id}/difference`)).json
  expect(difference).toContain('+  A third thing')
  await lab.offer('work', ['alpha'])
  expect((await console.ask('DELETE', `/api/grants/${grants[0]!.id}`)).status).toBe(200)
  expect((await console.ask('DELETE', `/api/grants/${grants[0]!.id}`)).status).toBe(404)
  expect(await asked()).toBe(1)
})

test('an open session is not deleted; a closed one is, with its calls', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, [{ name: 'work', ...lab.command('work'), env: [] }])
  await editor.prompt(sessionId, 'go')
  await until('its server', async () => (await console.ask('GET', '/api/servers')).json.live.length > 0)
  expect((await console.ask('DELETE', `/api/sessions/${sessionId}`)).status).toBe(409)
  await editor.request('session/close', { sessionId })
  await until(
    'its end',
    async () => (await console.ask('DELETE', `/api/sessions/${sessionId}`)).status === 200,
  )
  expect((await console.ask('GET', `/api/sessions/${sessionId}`)).status).toBe(404)
  expect((await console.ask('GET', '/api/calls')).json.calls).toMatchObject([
    { tool: 'console:delete-session', rule: 'person:console' },
  ])
})

test('a session without servers counts as open until it is closed or its process is killed', async () => {
  await using lab = await openAgentLab()
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  await using editor = await lab.start()
  const remove = async (sessionId: string) =>
    (await console.ask('DELETE', `/api/sessions/${sessionId}`)).status
  const sessionId = await openSession(editor, lab)
  const { sessionId: other } = await editor.newSession({ cwd: lab.path, mcpServers: [] })
  await editor.prompt(sessionId, 'go')
  await editor.prompt(other, 'go')
  using history = createStoredState({ stateDir: join(lab.path, 'state') })
  await until('their notes', () => [sessionId, other].every((id) => history.presence.isSessionOpen(id)))
  expect([await remove(sessionId), await remove(other)]).toEqual([409, 409])
  await editor.request('session/close', { sessionId })
  await until('its end', async () => (await remove(sessionId)) === 200)
  editor.child.kill('SIGKILL')
  await until('the end of the agent', async () => (await remove(other)) === 200)
})

test('on shutdown, its connected servers end, and an agent beside it continues', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    await using console = await openConsoleProcess(besideOf(lab))
    const { json: added } = await console.ask('POST', '/api/servers', {
      confirmed: true,
      name: `work-${signal}`,
      entry: { type: 'stdio', ...lab.command('work') },
    })
    expect((await console.ask('POST', `/api/servers/${added.id}/connect`, { confirmed: true })).status).toBe(
      200,
    )
    const children = await descendantsOf(console.child.pid!)
    expect(children.length).toBeGreaterThan(0)
    await using _ = await openEvents(console)
    console.child.kill(signal)
    expect(await console.exit).toEqual(
      signal === 'SIGKILL' ? { code: null, signal } : { code: 0, signal: null },
    )
    expect(await survivorsAfter(children, 10_000)).toEqual([])
    expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  }
})

test('a tool call is streamed step by step, and leaving the stream cancels it', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  const { json: added } = await console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'work',
    entry: { type: 'stdio', ...lab.command('work') },
  })
  const call = (args: object) => ({ tool: 'alpha', arguments: args, confirmed: true })
  const lines = linesOf(
    await console.ask('POST', `/api/servers/${added.id}/call`, call({ ms: 300, progress: true })),
  )
  expect(lines.at(0)).toMatchObject({ type: 'progress' })
  expect(lines.at(-1)).toMatchObject({
    type: 'ended',
    outcome: 'success',
    result: { content: [{ text: 'alpha is done' }] },
  })
  expect((await console.ask('GET', `/api/calls/${lines.at(-1)!['callId']}`)).json).toMatchObject({
    rule: 'person:console',
    status: 'success',
  })
  expect(
    linesOf(await console.ask('POST', `/api/servers/${added.id}/call`, { tool: 'none', confirmed: true })).at(
      -1,
    ),
  ).toMatchObject({
    type: 'ended',
    outcome: 'unknown',
  })

  const leave = new AbortController()
  const left = fetch(`${console.origin}/api/servers/${added.id}/call`, {
    method: 'POST',
    headers: {
      authorization: console.authorization,
      origin: console.origin,
      'content-type': 'application/json',
    },
    body: JSON.stringify(call({ ms: 60_000 })),
    signal: leave.signal,
  })
  await until(
    'the call',
    async () => (await lab.log('work')).filter((line) => line === 'start alpha').length === 2,
  )
  leave.abort()
  await left.then((response) => response.text()).catch(() => undefined)
  await until('its end', async () => (await lab.log('work')).includes('cancelled alpha'))
  await until(
    'its row',
    async () => (await console.ask('GET', '/api/calls?status=cancelled')).json.calls.length === 1,
  )
})

test('a server is tested without being stored, and its output is shown when it fails', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  const works = linesOf(
    await console.ask('POST', '/api/servers/test', {
      name: 'work',
      entry: { type: 'stdio', ...lab.command('work') },
      confirmed: true,
    }),
  )
  expect(works).toMatchObject([
    { type: 'started' },
    {
      type: 'connected',
      tools: [{ name: 'alpha' }],
      server: { name: 'changing' },
      phases: { handshakeMs: expect.any(Number) },
    },
  ])
  const entry = {
    type: 'stdio',
    command: process.execPath,
    args: ['-e', 'console.error("no licence found"); process.exit(3)'],
  }
  const fails = linesOf(
    await console.ask('POST', '/api/servers/test', { name: 'fails', entry, confirmed: true }),
  )
  expect(fails.at(-1)).toMatchObject({
    type: 'failed',
    error: { code: expect.stringMatching(/^mcp\./), output: expect.stringContaining('no licence found') },
  })
  expect((await console.ask('GET', '/api/servers')).json.servers).toEqual([])
})

test('an agent that was started before the file overrode a stored server still uses the stored one', async () => {
  await using lab = await openAgentLab()
  for (const server of ['one', 'two']) await lab.offer(server, ['alpha'])
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  await console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'files',
    entry: { type: 'stdio', ...lab.command('one') },
  })
  // Each of two processes, because a process publishes its servers as one.
  await using before = await lab.start()
  await before.prompt(await openSession(before, lab), 'go')
  await lab.writeAgentFile({ mcpServers: { files: { type: 'stdio', ...lab.command('two') } } })
  await using after = await lab.open()
  await after.prompt(await openSession(after, lab), 'go')
  const used = async () => {
    const { servers, live } = (await console.ask('GET', '/api/servers')).json as AllServers
    return live.map(
      ({ serverId, origin }) =>
        [servers.find(({ id }) => id === serverId)?.origin, origin.includes('one.json')] as const,
    )
  }
  await until('both', async () => (await used()).length === 2)
  expect(Object.fromEntries(await used())).toEqual({ file: false, stored: true })
  const { servers } = (await console.ask('GET', '/api/agent')).json as AgentView
  expect(Object.fromEntries(servers.map(({ origin, live }) => [origin, live.length]))).toEqual({
    file: 1,
    stored: 1,
  })
})

test('the policy knows a definition that an agent has seen since this console connected, and a refresh lists the tools again', async () => {
  await using lab = await openAgentLab(callOnce('work__alpha'))
  await lab.offer('work', ['alpha'])
  await lab.writeAgentFile({})
  await using console = await openBeside(lab)
  const { command, args } = lab.command('work')
  const entry = { type: 'stdio', command, args: [...args, 'silent'] }
  const { id } = (await console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry })).json
  const selected = (optionId: string) => ({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId } }),
  })
  {
    await using editor = await lab.open(selected('allow-always'))
    await editor.prompt(await openSession(editor, lab), 'go')
  }
  const connect = (isFresh: boolean) =>
    console.ask('POST', `/api/servers/${id}/connect`, { confirmed: true, isFresh })
  const verdict = async () => {
    const { tools } = (await console.ask('POST', '/api/policy', {})).json as Policy
    return tools.find(({ tool }) => tool === 'alpha')?.now.verdict
  }
  await connect(false)
  expect(await verdict()).toBe('allow')
  await lab.offer('work', [{ name: 'alpha', description: 'Another one' }, 'beta'])
  expect(await verdict()).toBe('allow')
  await using editor = await lab.open(selected('reject-once'))
  await editor.prompt(await openSession(editor, lab), 'go')
  expect(editor.permissionRequests()).toHaveLength(1)
  // The agent tells which servers it has a moment after it used them.
  await until('the new definition is known', async () => (await verdict()) === 'ask')
  expect((await connect(false)).json.tools).toHaveLength(1)
  expect((await connect(true)).json.tools).toMatchObject([
    { name: 'alpha', description: 'Another one' },
    { name: 'beta' },
  ])
})
