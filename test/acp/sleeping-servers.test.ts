import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openServerService } from '../../packages/workbench/src/index.ts'
import type { AcpInProcess } from '../support/acp-harness.ts'
import { formats } from '../support/acp-scripted.ts'
import { entryOf, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { fixturePath, startHttpFixture } from '../support/http-fixture.ts'
import { lastResult } from '../support/last-result.ts'
import type { LoopbackVendor } from '../support/loopback-model/index.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { offeredIn } from '../support/offered-tools.ts'
import { processesWithArgument, until } from '../support/processes.ts'

/** Servers that share the name of a tool would lead to a warning. */
const toolOf = (server: string) => (server === 'work' ? 'do' : `do_${server}`)

const auto = { approval: { mode: 'auto' } }
const brief = { ...auto, sessionServers: { idle: '1s' } }

/** The model calls the tool that the prompt names: `work__do`. */
async function openLab(
  { agent = auto, servers = ['work'] }: { agent?: object; servers?: readonly string[] } = {},
  vendor?: LoopbackVendor,
): Promise<AgentLab> {
  const lab = await openAgentLab(({ messages }) => {
    const [, name] = /^(?:call )(\S+)$/.exec(textOf(messages.at(-1))) ?? []
    return name === undefined ? { text: 'ok' } : { toolCalls: [{ name, args: {} }] }
  }, vendor)
  for (const server of servers) await lab.offer(server, [toolOf(server)])
  await lab.writeAgentFile(agent)
  return lab
}

const toServers = (lab: AgentLab, names: readonly string[]) =>
  names.map((name) => ({ name, ...lab.command(name), env: [] }))

/** Connects the servers once, so that they are known afterwards. */
async function learn(lab: AgentLab, mcpServers: readonly object[]): Promise<void> {
  await using editor = await lab.open()
  await editor.prompt(await openSession(editor, lab, mcpServers), 'hello')
}

const running = (lab: AgentLab, server = '') => processesWithArgument(join(lab.path, server))
const resultOf = ({ model }: AgentLab) => lastResult(model.requests.at(-1))

/** The answer, without the sizes of tools. */
async function ask(editor: AcpInProcess, sessionId: string, prompt: string): Promise<string> {
  const before = editor.text(sessionId).length
  await editor.prompt(sessionId, prompt)
  return editor
    .text(sessionId)
    .slice(before)
    .replaceAll(/ \(\d+ tokens\)/g, '')
}

const asleep = (name: string) => `- **${name}**: asleep, 1 tool known; the first call starts it`

const cardsOf = (editor: AcpInProcess, sessionId: string) =>
  editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.content !== undefined
        ? [JSON.stringify(update.content)]
        : [],
    )

test('five sessions with ten known servers each cost no process; a call starts one, which ends when it is unused', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `server${index}`)
  await using lab = await openLab({ agent: brief, servers: names })
  const servers = toServers(lab, names)
  await learn(lab, servers)
  expect(await running(lab)).toEqual([])

  await using editor = await lab.open()
  await editor.initialize()
  const sessions: string[] = []
  for (let count = 0; count < 5; count++)
    sessions.push((await editor.newSession({ cwd: lab.path, mcpServers: servers })).sessionId)
  for (const sessionId of sessions) {
    await editor.prompt(sessionId, 'hello')
    expect((await ask(editor, sessionId, '/mcp')).split('\n')).toEqual(names.map(asleep))
  }
  expect(offeredIn(lab)).toHaveLength(10)
  expect(await running(lab)).toEqual([])

  await editor.prompt(sessions[2] ?? '', 'call server7__do_server7')
  expect(resultOf(lab)).toBe('do_server7 is done')
  expect(await running(lab)).toEqual(await running(lab, 'server7.json'))
  expect(await running(lab)).toHaveLength(1)
  await until('the server to sleep', async () => (await running(lab)).length === 0)
  expect(await ask(editor, sessions[2] ?? '', '/mcp')).toContain(asleep('server7'))
})

test.each(formats)(
  'a model that speaks %s notices nothing of a server that sleeps and wakes',
  async (vendor) => {
    await using lab = await openLab({ agent: brief }, vendor)
    await learn(lab, toServers(lab, ['work']))
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab, toServers(lab, ['work']))
    for (let wakes = 0; wakes < 2; wakes++) {
      await editor.prompt(sessionId, 'call work__do')
      expect(resultOf(lab)).toBe('do is done')
      expect(offeredIn(lab)).toEqual(['work__do'])
      await until('the server to sleep', async () => (await running(lab)).length === 0)
    }
    expect(lab.model.requests.length).toBeGreaterThan(4)
  },
)

test('the card of a call says that its server starts, and then shows the result', async () => {
  await using lab = await openLab()
  await learn(lab, toServers(lab, ['work']))
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, toServers(lab, ['work']))
  for (let calls = 0; calls < 2; calls++) await editor.prompt(sessionId, 'call work__do')
  const [starting, started, ...results] = cardsOf(editor, sessionId)
  expect(starting).toContain('"starting work"')
  expect(started).toBe('[]')
  expect(results).toHaveLength(2)
  for (const result of results) expect(result).toContain('do is done')
})

test('a person starts a server, which then sleeps only if it may', async () => {
  await using lab = await openLab({ agent: { ...auto, sessionServers: { idle: 'never' } } })
  await learn(lab, toServers(lab, ['work']))
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, toServers(lab, ['work']))
  expect(await ask(editor, sessionId, '/mcp reconnect')).toBe('All MCP servers are connected or asleep.')
  expect(await ask(editor, sessionId, '/mcp')).toBe(asleep('work'))
  expect(await ask(editor, sessionId, '/mcp wake work')).toBe('- **work**: connected, 1 tool')
  expect(await ask(editor, sessionId, '/mcp wake')).toContain('Name a server.')
})

test('a call that is denied starts nothing, nor does a prompt beside it', async () => {
  await using lab = await openLab({
    agent: { sessionServers: { approval: 'deny' } },
    servers: ['work', 'new'],
  })
  await learn(lab, toServers(lab, ['work']))
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, toServers(lab, ['work', 'new']))
  await editor.prompt(sessionId, 'call work__do')
  expect(resultOf(lab)).toContain('not allowed')
  expect(await ask(editor, sessionId, '/mcp')).toContain(asleep('work'))
  expect(await running(lab, 'work.json')).toEqual([])
})

describe('a start of a server', () => {
  /** The call waits for a server that starts, but does not answer. */
  async function openHanging() {
    const lab = await openLab()
    await learn(lab, toServers(lab, ['work']))
    await writeFile(join(lab.path, 'work.json.hang'), '')
    const editor = await lab.open()
    const sessionId = await openSession(editor, lab, toServers(lab, ['work']))
    const ended = editor.prompt(sessionId, 'call work__do')
    await until('the server', async () => (await running(lab)).length > 0)
    return { lab, editor, sessionId, ended }
  }

  test('ends with the call that is cancelled, and the next call starts it again', async () => {
    const { lab, editor, sessionId, ended } = await openHanging()
    await using _lab = lab
    await using _editor = editor
    editor.notify('session/cancel', { sessionId })
    expect(await ended).toEqual({ stopReason: 'cancelled' })
    await until('the end of the server', async () => (await running(lab)).length === 0)
    await rm(join(lab.path, 'work.json.hang'))
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toBe('do is done')
  })

  test('ends with its session', async () => {
    const { lab, editor, sessionId, ended } = await openHanging()
    await using _lab = lab
    await using _editor = editor
    await editor.request('session/close', { sessionId })
    expect(await running(lab)).toEqual([])
    await ended.catch(() => undefined)
  })

  test('that takes too long is the failure of its call', async () => {
    await using lab = await openLab({ agent: auto })
    const work = (over: object) => ({ mcpServers: { work: entryOf(lab, 'work', over) } })
    await lab.writeAgentFile({ ...auto, ...work({}) })
    await learn(lab, [])
    await lab.writeAgentFile({ ...auto, ...work({ start: 'known-on-demand', timeout: '1s' }) })
    await writeFile(join(lab.path, 'work.json.hang'), '')
    await using editor = await lab.open()
    const sessionId = await openSession(editor, lab)
    await editor.prompt(sessionId, 'hello')
    expect(await ask(editor, sessionId, '/mcp')).toBe(asleep('work'))
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toContain('did not answer within 1 s')
    expect(offeredIn(lab)).toEqual(['work__do'])
  })

  test('that fails is the failure of its call, with the last words of the server, and a later call tries again', async () => {
    await using lab = await openLab()
    const broken = join(lab.path, 'broken')
    const { command, args } = lab.command('work')
    const line = `[ -e ${broken} ] && { echo no database >&2; exit 3; }; exec ${[command, ...args].join(' ')}`
    const servers = [{ name: 'work', command: '/bin/sh', args: ['-c', line], env: [] }]
    await learn(lab, servers)
    await writeFile(broken, '')
    await using editor = await lab.open({ timing: { attemptAgainMs: 0 } })
    const sessionId = await openSession(editor, lab, servers)
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toContain('the server exited with code 3\nno database')
    expect(await ask(editor, sessionId, '/mcp')).toContain(
      '- **work**: failed: the server exited with code 3',
    )
    await rm(broken)
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toBe('do is done')
  })
})

test('a server that lists other tools each time is asked about each time, with the difference', async () => {
  await using lab = await openLab({ agent: { sessionServers: { idle: '1s', definitionChanges: 'ignore' } } })
  await learn(lab, toServers(lab, ['work']))
  await using editor = await lab.open({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-session' } }),
  })
  const sessionId = await openSession(editor, lab, toServers(lab, ['work']))
  for (const description of ['one', 'two', 'three']) {
    await lab.offer('work', [{ name: 'do', description }])
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toBe('do is done')
    await until('the server to sleep', async () => (await running(lab)).length === 0)
  }
  const [first, ...others] = editor.permissionRequests().map((request) => JSON.stringify(request))
  expect(first).not.toContain('it has changed since')
  expect(others).toHaveLength(2)
  for (const request of others) expect(request).toContain('You allowed it before, but it has changed since')
  await lab.offer('work', ['another'])
  await editor.prompt(sessionId, 'call work__do')
  expect(resultOf(lab)).toContain("The server 'work' no longer offers this tool. Nothing was run.")
})

describe('a known server that cannot start', () => {
  const noticing = { capabilities: { session: { notices: {} } } }

  test('because its program is gone is reported before it is used', async () => {
    await using lab = await openLab()
    const program = join(lab.path, 'program')
    const { command, args } = lab.command('work')
    await writeFile(program, `#!/bin/sh\nexec ${[command, ...args].join(' ')}\n`, { mode: 0o755 })
    const servers = [{ name: 'work', command: program, args: [], env: [] }]
    await learn(lab, servers)
    await rm(program)
    await using editor = await lab.open(noticing)
    const sessionId = await openSession(editor, lab, servers)
    const notice = await editor.waitForUpdate(sessionId, 'notice')
    expect(notice).toMatchObject({ title: '1 MCP server not available' })
    expect(JSON.stringify(notice)).toContain(`command not found: ${program}`)
    await editor.prompt(sessionId, 'call work__do')
    expect(resultOf(lab)).toContain(`command not found: ${program}`)
  })

  test('because nothing listens at its address is reported, and it sleeps again once something does', async () => {
    await using lab = await openLab({ agent: brief })
    const server = await startHttpFixture('fading-server.mjs', 'http', join(lab.path, 'log'))
    const servers = [{ type: 'http', name: 'web', url: server.url, headers: [] }]
    await learn(lab, servers)
    await using editor = await lab.open(noticing)
    const sessionId = await openSession(editor, lab, servers)
    await editor.waitForUpdate(
      sessionId,
      'notice',
      ({ title }) => title === '0 MCP servers connected, 1 asleep, 1 tool',
    )
    await editor.prompt(sessionId, 'call web__wait')
    expect(resultOf(lab)).toBe('waited')
    await until('the server to sleep', async () => (await ask(editor, sessionId, '/mcp')) === asleep('web'))
    await server.kill()
    const { sessionId: next } = await editor.newSession({ cwd: lab.path, mcpServers: servers })
    const notice = await editor.waitForUpdate(next, 'notice')
    expect(JSON.stringify(notice)).toContain('connection refused')
  })
})

test('the resources of a server that sleeps are listed, although it starts slowly', async () => {
  await using lab = await openLab({ servers: [] })
  const slow = join(lab.path, 'slow')
  const line = `[ -e ${slow} ] && sleep 4; exec ${process.execPath} ${fixturePath('rich-server.mjs')}`
  const servers = [{ name: 'rich', command: '/bin/sh', args: ['-c', line], env: [] }]
  await learn(lab, servers)
  await writeFile(slow, '')
  await using editor = await lab.open()
  const sessionId = await openSession(editor, lab, servers)
  expect(await ask(editor, sessionId, '/resources')).toContain('note://one')
})

test('a stored server starts with the first call of any session, once for all', async () => {
  await using lab = await openLab()
  {
    await using service = await openServerService({
      stateDir: join(lab.path, 'state'),
      env: {},
      secretStore: 'file',
    })
    await service.addServer({ name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  }
  await learn(lab, [])
  await using editor = await lab.open()
  const sessions = [await openSession(editor, lab), (await editor.newSession({ cwd: lab.path })).sessionId]
  for (const sessionId of sessions) expect(await ask(editor, sessionId, '/mcp')).toBe(asleep('work'))
  expect(await running(lab, 'work.json')).toEqual([])
  await Promise.all(sessions.map((sessionId) => editor.prompt(sessionId, 'call work__do')))
  expect(await running(lab, 'work.json')).toHaveLength(1)
})
