import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AcpInProcess } from '../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'
import { openServerService } from '../../packages/workbench/src/index.ts'
import { lastResult } from '../support/last-result.ts'
import { textOf } from '../support/loopback-model/script.ts'
import { processesWithArgument, until } from '../support/processes.ts'
import { logInWith, startLoginServer } from '../support/login-lab.ts'

/** An agent without servers of its own. The model calls `work__do` when it is asked to work. */
async function openLab(): Promise<AgentLab> {
  const lab = await openAgentLab(({ messages }) => {
    const last = messages.at(-1)?.parts ?? []
    const isAsked = last.some((part) => part.type === 'text' && part.text.includes('work'))
    return isAsked ? { toolCalls: [{ name: 'work__do', args: {} }] } : { text: 'ok' }
  })
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  return lab
}

const holdOf = (lab: AgentLab) => join(lab.path, 'work.json.hang')
const session = (lab: AgentLab) => ({
  cwd: lab.path,
  mcpServers: [{ name: 'work', ...lab.command('work'), env: [] }],
})

/** Connects the session's server once, so that it is known afterwards. */
async function learn(lab: AgentLab): Promise<void> {
  expect(await firstOffer(lab, session(lab).mcpServers)).toContain('work__do')
}

/** The tools that the model is offered in the first prompt of a new session. */
async function firstOffer(lab: AgentLab, mcpServers: readonly object[]): Promise<string[] | undefined> {
  await using editor = await lab.open({ env: { OSTLER_SECRET_STORE: 'file' } })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  await editor.prompt(sessionId, 'hello')
  return offered(lab)
}

function offered({ model }: AgentLab): string[] | undefined {
  return model.requests.at(-1)?.tools.map(({ name }) => name)
}

const resultOf = ({ model }: AgentLab) => lastResult(model.requests.at(-1))

/** Starts a session whose server answers nothing while it is held. */
async function startedOf(
  lab: AgentLab,
  text: string,
): Promise<{ editor: AcpInProcess; sessionId: string; ended: Promise<unknown> }> {
  await writeFile(holdOf(lab), '')
  const editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession(session(lab))
  return { editor, sessionId, ended: editor.prompt(sessionId, text) }
}

test('a server that was connected before is offered at once, though it does not answer', async () => {
  await using lab = await openLab()
  await lab.writeAgentFile({ sessionServers: { start: 'eager' } })
  await learn(lab)
  const { editor, sessionId, ended } = await startedOf(lab, 'hello')
  await using _editor = editor
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(offered(lab)).toContain('work__do')
  expect(editor.text(sessionId)).toBe('ok')
  await editor.prompt(sessionId, '/mcp')
  expect(editor.text(sessionId)).toMatch(/\*\*work\*\*: connecting, 1 tool \(\d+ tokens\) known from before/)
})

test('a call waits for the connection', async () => {
  await using lab = await openLab()
  await learn(lab)
  const { editor, sessionId, ended } = await startedOf(lab, 'work')
  await using _editor = editor
  await editor.waitForUpdate(sessionId, 'tool_call')
  expect(editor.permissionRequests()).toEqual([])
  await rm(holdOf(lab))
  await ended
  expect(editor.permissionRequests()).toHaveLength(1)
  expect(resultOf(lab)).toBe('do is done')
})

const started = (lab: AgentLab, server: string) => processesWithArgument(join(lab.path, `${server}.json`))
const serversOf = (lab: AgentLab, names: readonly string[]) =>
  names.map((name) => ({ name, ...lab.command(name), env: [] }))

test('while a prompt waits for a new server, a known one starts beside it', async () => {
  await using lab = await openLab()
  await learn(lab)
  await lab.offer('new', ['other'])
  await writeFile(join(lab.path, 'new.json.hang'), '')
  await using editor = await lab.open()
  await editor.initialize()
  const mcpServers = serversOf(lab, ['work', 'new'])
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  const ended = editor.prompt(sessionId, 'hello')
  await until('the known server', async () => (await started(lab, 'work')).length > 0)
  expect(lab.model.requests.at(-1)?.messages).toHaveLength(1)
  await rm(join(lab.path, 'new.json.hang'))
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(offered(lab)).toEqual(expect.arrayContaining(['work__do', 'new__other']))
})

test('up to three known servers start early, whatever the prompt says', async () => {
  await using lab = await openLab()
  const known = ['mail', 'sky', 'music']
  for (const server of known) await lab.offer(server, ['other'])
  await firstOffer(lab, serversOf(lab, known))
  await lab.offer('new', ['other'])
  await writeFile(join(lab.path, 'new.json.hang'), '')
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: serversOf(lab, [...known, 'new']),
  })
  const ended = editor.prompt(sessionId, 'hello')
  for (const server of known)
    await until(`the server ${server}`, async () => (await started(lab, server)).length > 0)
  await rm(join(lab.path, 'new.json.hang'))
  await ended
})

test('of many known servers, only those start early whose tools match the prompt', async () => {
  await using lab = await openLab()
  const tools = { mail: 'send_mail', sky: 'weather_forecast', music: 'play_song', paint: 'draw_picture' }
  for (const [server, tool] of Object.entries(tools)) await lab.offer(server, [tool])
  await firstOffer(lab, serversOf(lab, Object.keys(tools)))
  await lab.offer('new', ['other'])
  await writeFile(join(lab.path, 'new.json.hang'), '')
  await using editor = await lab.open()
  await editor.initialize()
  const mcpServers = serversOf(lab, [...Object.keys(tools), 'new'])
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  const ended = editor.prompt(sessionId, 'What is the weather forecast?')
  await until('the server that matches', async () => (await started(lab, 'sky')).length > 0)
  await rm(join(lab.path, 'new.json.hang'))
  await ended
  for (const server of ['mail', 'music', 'paint']) expect(await started(lab, server)).toEqual([])
})

test('of many known servers that match the prompt, three start early', async () => {
  await using lab = await openLab()
  const known = ['north', 'south', 'east', 'west']
  for (const server of known) await lab.offer(server, [`weather_${server}`])
  await firstOffer(lab, serversOf(lab, known))
  await lab.offer('new', ['other'])
  await writeFile(join(lab.path, 'new.json.hang'), '')
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: lab.path,
    mcpServers: serversOf(lab, [...known, 'new']),
  })
  const ended = editor.prompt(sessionId, 'What is the weather?')
  const startedKnown = async () =>
    (await Promise.all(known.map(async (server) => (await started(lab, server)).length > 0))).filter(Boolean)
  await until('three servers', async () => (await startedKnown()).length >= 3)
  await rm(join(lab.path, 'new.json.hang'))
  await ended
  expect((await startedKnown()).length).toBeLessThanOrEqual(3)
})

test('a known server starts while the model still writes the arguments of its call', async () => {
  const { promise: written, resolve: goOn } = Promise.withResolvers<void>()
  await using lab = await openAgentLab(({ messages }) =>
    textOf(messages.at(-1)) === 'work'
      ? { toolCalls: [{ name: 'work__do', args: {} }], pause: { after: 'tool_start', until: written } }
      : { text: 'ok' },
  )
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  await learn(lab)
  await using editor = await lab.open()
  await editor.initialize()
  const { sessionId } = await editor.newSession(session(lab))
  const ended = editor.prompt(sessionId, 'work')
  await until('the server', async () => (await started(lab, 'work')).length > 0)
  expect(editor.updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === 'tool_call')).toBe(false)
  goOn()
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  expect(resultOf(lab)).toBe('do is done')
})

test('a start that was begun while the model wrote ends with the prompt that is cancelled', async () => {
  await using lab = await openAgentLab(({ messages }) =>
    textOf(messages.at(-1)) === 'work'
      ? {
          toolCalls: [{ name: 'work__do', args: {} }],
          pause: { after: 'tool_start', until: new Promise(() => {}) },
        }
      : { text: 'ok' },
  )
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  await learn(lab)
  const { editor, sessionId, ended } = await startedOf(lab, 'work')
  await using _editor = editor
  await until('the server', async () => (await started(lab, 'work')).length > 0)
  editor.notify('session/cancel', { sessionId })
  expect(await ended).toEqual({ stopReason: 'cancelled' })
  await until('the end of the server', async () => (await started(lab, 'work')).length === 0)
})

test('a tool that is gone is not run, and nobody is asked', async () => {
  await using lab = await openLab()
  await learn(lab)
  await lab.offer('work', ['other'])
  const { editor, sessionId, ended } = await startedOf(lab, 'work')
  await using _editor = editor
  await editor.waitForUpdate(sessionId, 'tool_call')
  await rm(holdOf(lab))
  await ended
  expect(editor.permissionRequests()).toEqual([])
  expect(resultOf(lab)).toContain("The server 'work' no longer offers this tool.")
  expect(await lab.log('work')).toEqual([])
})

test('arguments are checked against what the server offers now', async () => {
  await using lab = await openLab()
  await lab.writeAgentFile({ definitionChanges: 'ignore' })
  await learn(lab)
  await lab.offer('work', [{ name: 'do', inputSchema: { type: 'object', required: ['how'] } }])
  const { editor, sessionId, ended } = await startedOf(lab, 'work')
  await using _editor = editor
  await editor.waitForUpdate(sessionId, 'tool_call')
  await rm(holdOf(lab))
  await ended
  expect(editor.permissionRequests()).toEqual([])
  expect(resultOf(lab)).toContain("must have required property 'how'")
})

test('the configuration of an editor server is not stored', async () => {
  await using lab = await openLab()
  await learn(lab)
  const state = join(lab.path, 'state')
  const files = (await readdir(state)).filter((file) => file.startsWith('ostler.db'))
  const stored = await Promise.all(files.map((file) => readFile(join(state, file), 'latin1')))
  expect(stored.some((text) => text.includes('The tool do'))).toBe(true)
  expect(stored.filter((text) => text.includes('changing-server.mjs'))).toEqual([])
})

test('what a server offers to one login is not offered to another', async () => {
  await using server = await startLoginServer()
  await using lab = await openLab()
  await using service = await openServerService({
    stateDir: join(lab.path, 'state'),
    env: {},
    secretStore: 'file',
  })
  const servers = [{ type: 'http', name: 'web', url: server.mcp, headers: [] }]
  await logInWith(service, server.mcp)
  expect(await firstOffer(lab, servers)).toContain('web__echo')
  await server.control('forget')
  expect(await firstOffer(lab, servers)).toContain('web__echo')
  await logInWith(service, server.mcp)
  await server.control('forget')
  expect(await firstOffer(lab, servers)).not.toContain('web__echo')
})
