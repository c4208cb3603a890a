import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { richServer, sumServer } from '../support/acp-scripted.ts'
import { load, openSessionLab } from '../support/acp-sessions.ts'
import { lastResult } from '../support/last-result.ts'
import type { ModelRequest } from '../support/loopback-model/index.ts'
import { textIn } from '../support/loopback-model/window.ts'

const agent = { mode: 'auto', connectWaitMs: 60_000 } as const
const add = 'sums__add'
const callAdd = { toolCalls: [{ name: add, args: { a: 1, b: 2 } }] }
const callWrong = { toolCalls: [{ name: add, args: { a: 'one' } }] }

/** Calls the tool if the prompt says so, whether it is offered or not. */
function script({ messages }: ModelRequest) {
  const text = textIn(messages.at(-1))
  return text.startsWith('call it wrong') ? callWrong : text.startsWith('call it') ? callAdd : { text: 'ok' }
}

function namesIn(request: ModelRequest | undefined): readonly string[] {
  return (request?.tools ?? []).map(({ name }) => name)
}

test('a tool that is switched off leaves the requests from the next prompt on, and what was sent before stays', async () => {
  await using lab = await openSessionLab(script, { agent })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  for (const prompt of ['hello', '/tools off sums:add', 'go on', 'call it', '/tools on sums:add', 'and now'])
    await editor.prompt(sessionId, prompt)
  const [before, after, called, denied, back] = lab.model.requests
  expect([before, after, called, denied, back].map((request) => namesIn(request).includes(add))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  for (const [index, request] of [after, called, denied, back].entries()) {
    const earlier = lab.model.requests[index]?.messages ?? []
    expect(request?.messages.slice(0, earlier.length)).toEqual(earlier)
    expect(request?.system).toBe(before?.system)
  }
  const told = (request: ModelRequest | undefined) =>
    (request?.messages ?? []).flatMap(
      (message) => textIn(message).match(/The person has switched o.*/g) ?? [],
    )
  const off = 'The person has switched off these tools, so they cannot be called: add of sums.'
  expect(told(before)).toEqual([])
  expect(told(denied)).toEqual([off])
  expect(told(back)).toEqual([
    off,
    'The person has switched on these tools, so they can be called: add of sums.',
  ])
  expect(lastResult(denied)).toMatch(/^The person has switched this tool off\. Nothing was run\./)
  const answers = editor.text(sessionId)
  expect(answers).toContain('`sums:add` is switched off in this folder: no model is offered it')
  expect(answers).toContain('`sums:add` is switched on again.')
  const [call] = lab.history.calls.list({ limit: 1 })
  expect(call).toMatchObject({ tool: 'add', decision: 'deny', rule: 'tools' })
})

test('a wrong call of a tool that is off is told that it is off, not how to call it', async () => {
  await using lab = await openSessionLab(script, {
    agent: { ...agent, sessionServers: { schemas: 'deferred' } },
  })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  for (const prompt of ['/tools off sums:add', 'call it wrong']) await editor.prompt(sessionId, prompt)
  expect(lastResult(lab.model.requests.at(-1))).toBe(
    'This tool is switched off or denied. Nothing was run. Do not try it again unless asked to.',
  )
})

test('while schemas wait, each remark about the tools is told once', async () => {
  await using lab = await openSessionLab(script, {
    agent: { ...agent, sessionServers: { schemas: 'deferred' } },
  })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer(), richServer()] })
  for (const prompt of ['hello', '/tools off sums:add', 'go on', 'and on'])
    await editor.prompt(sessionId, prompt)
  const told = editor
    .text(sessionId)
    .match(/The schemas of \d+ tools wait|Switched off in this folder: \S+\./g)
  expect(told).toEqual([
    expect.stringContaining('The schemas of'),
    'Switched off in this folder: sums:add.',
    expect.stringContaining('The schemas of'),
  ])
  expect(new Set(told).size).toBe(3)
})

test('it stays off for the same server in the same folder, and nowhere else', async () => {
  await using lab = await openSessionLab(script, { agent })
  const [here, there] = [join(lab.path, 'here'), join(lab.path, 'there')]
  for (const folder of [here, there]) await mkdir(folder)
  const offered = async (cwd: string, server: object) => {
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd, mcpServers: [server] })
    await editor.prompt(sessionId, 'hello')
    return { names: namesIn(lab.model.requests.at(-1)), text: editor.text(sessionId), sessionId }
  }
  {
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: here, mcpServers: [sumServer()] })
    await editor.prompt(sessionId, '/tools off sums:add')
  }
  const same = await offered(here, sumServer())
  expect(same.names).not.toContain(add)
  expect(same.text).toContain('Switched off in this folder: sums:add. /tools on NAME switches one on.')
  // The model has read nothing about the tool, so it is told nothing.
  expect(JSON.stringify(lab.model.requests.at(-1)?.body)).not.toMatch(/switched|sums/)
  expect((await offered(there, sumServer())).names).toContain(add)
  expect((await offered(here, richServer({ name: 'sums' }))).names.length).toBeGreaterThan(0)
  const { args, ...server } = sumServer()
  expect((await offered(here, { ...server, args: [...args, 'other'] })).names).toContain(add)
  expect((await offered(here, { ...server, args, name: 'renamed' })).names).not.toContain('renamed__add')

  await using editor = await lab.open()
  await load(editor, { sessionId: same.sessionId, cwd: here, mcpServers: [sumServer()] })
  await editor.prompt(same.sessionId, '/tools on sums:add')
  await editor.prompt(same.sessionId, 'again')
  expect(namesIn(lab.model.requests.at(-1))).toContain(add)
})

test('what another program switches off is off from the next prompt on', async () => {
  await using lab = await openSessionLab(script, { agent })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, 'hello')
  await expect.poll(() => lab.history.presence.servers().length).toBe(1)
  const [{ agent: name, identity = '' } = { agent: '' }] = lab.history.presence.servers()
  await lab.history.servers.off(name, lab.path).set({ identity, tool: 'add' }, true)
  await editor.prompt(sessionId, 'go on')
  expect(namesIn(lab.model.requests.at(-1))).not.toContain(add)
  expect(editor.text(sessionId)).toContain('Switched off in this folder: sums:add.')
})

test('/tools and /mcp say what is off, and a mistake is explained', async () => {
  await using lab = await openSessionLab(script, { agent })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  const answer = async (prompt: string) => {
    const before = editor.text(sessionId).length
    await editor.prompt(sessionId, prompt)
    return editor.text(sessionId).slice(before)
  }
  expect(await answer('/tools on sums:add')).toBe('`sums:add` is already switched on.')
  expect(await answer('/tools off')).toMatch(/^Usage: `\/tools /)
  expect(await answer('/tools off sums:ad')).toBe('There is no tool `sums:ad`. `/tools` lists all tools.')
  expect(await answer('/tools off sums')).toBe(
    '`sums` is a server. `/tools off sums:NAME` is about one of its tools; `/mcp disable sums` leaves out all of them in this session.',
  )
  expect(await answer('/tools off read_file')).toBe(
    '`read_file` is not a tool of a server. Switch it off in the agent file.',
  )
  await answer('/tools off sums:add')
  await answer('hello')
  const list = await answer('/tools sums')
  expect(list).toContain('| `add` | switched off |')
  expect(list).toContain('**sums** (1)\n')
  expect(await answer('/mcp')).toContain('- Switched off in this folder: sums:add.')
})

test('what cannot be stored is not switched, and the person reads why', async () => {
  await using lab = await openSessionLab(script, { agent })
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers: [sumServer()] })
  await editor.prompt(sessionId, 'hello')
  await lab.history.journal.change(({ database }) => database.exec('DROP TABLE off_tools'))
  await editor.prompt(sessionId, '/tools off sums:add')
  expect(editor.text(sessionId)).toMatch(/could not be written|cannot be written/)
  await editor.prompt(sessionId, 'go on')
  expect(namesIn(lab.model.requests.at(-1))).toContain(add)
})
