import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import type { AgentView, Policy, AllServers } from '../../packages/console/src/api.ts'
import { openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { descendantsOf, survivorsAfter, until } from '../support/processes.ts'
import { openConsole, openConsoleProcess, openEvents } from './console-process.ts'

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
  await lab.writeAgentFile({ definitionChanges: 'ignore' })
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
