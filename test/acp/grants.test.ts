import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../packages/agent-api/src/state/db/database.ts'
import { selectPermission, type AcpPeer } from '../support/acp-harness.ts'
import { richServer } from '../support/acp-scripted.ts'
import { openAgentLab, type AgentLab } from '../support/agent-lab.ts'

const oneCall = (request: { messages: readonly { role: string }[] }) =>
  request.messages.at(-1)?.role === 'user'
    ? { toolCalls: [{ name: 'work__do', args: { word: 'hello' } }] }
    : { text: 'ok' }

const entry = (lab: AgentLab, over: object = {}) => ({
  type: 'stdio',
  mode: 'dynamic',
  defaultToolConfig: {},
  ...lab.command('work'),
  ...over,
})

async function openLab(
  agentFile: (lab: AgentLab) => object = (lab) => ({ mcpServers: { work: entry(lab) } }),
): Promise<AgentLab> {
  // In the vendor's format, tool results are user messages.
  const lab = await openAgentLab((request) =>
    request.messages.at(-1)?.parts.some((part) => part.type === 'tool_result')
      ? { text: 'ok' }
      : oneCall({ messages: [{ role: 'user' }] }),
  )
  await lab.offer('work', [{ name: 'do', description: 'Does it' }, 'other'])
  await lab.writeAgentFile(agentFile(lab))
  return lab
}

/** A prompt to an agent that is opened for it and closed afterwards. */
async function promptOnce(
  lab: AgentLab,
  optionId: string,
  { open }: { open: AgentLab['open'] | AgentLab['start'] } = lab,
): Promise<{ asked: number; texts: string[]; statuses: string[] }> {
  await using editor = await open({ onPermission: () => ({ outcome: { outcome: 'selected', optionId } }) })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'go')
  return { ...asked(editor), statuses: statusesOf(editor, sessionId) }
}

function asked(editor: AcpPeer) {
  const requests = editor.permissionRequests()
  return { asked: requests.length, texts: requests.map(({ toolCall }) => JSON.stringify(toolCall.content)) }
}

function statusesOf(editor: AcpPeer, sessionId: string): string[] {
  return editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.status ? [update.status] : [],
    )
}

it('the question shows server, tool, arguments and command line', async () => {
  await using lab = await openLab()
  const { texts } = await promptOnce(lab, 'reject-once')
  expect(texts).toHaveLength(1)
  for (const part of ['work', 'do', 'hello', 'changing-server.mjs']) expect(texts[0]).toContain(part)
})

it('"always" outlives the process, for that tool', async () => {
  await using lab = await openLab()
  expect(await promptOnce(lab, 'allow-always', { open: lab.start })).toMatchObject({
    asked: 1,
    statuses: ['in_progress', 'completed'],
  })
  expect(await promptOnce(lab, 'reject-once')).toMatchObject({
    asked: 0,
    statuses: ['in_progress', 'completed'],
  })
})

it('"always reject" outlives the agent too', async () => {
  await using lab = await openLab()
  await promptOnce(lab, 'reject-always')
  expect(await promptOnce(lab, 'allow-once')).toMatchObject({ asked: 0, statuses: ['failed'] })
})

it('"always" for the requests of a server to the model is for that server, and not for another of its name', async () => {
  await using lab = await openAgentLab(({ tools, messages }) => {
    if (tools.length === 0) return { text: 'a thought' }
    const isDone = messages.at(-1)?.parts.some((part) => part.type === 'tool_result')
    return isDone === true ? { text: 'ok' } : { toolCalls: [{ name: 'alpha__think', args: {} }] }
  })
  await lab.writeAgentFile({})
  const ask = async (log: string) => {
    await using editor = await lab.open({
      onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-always' } }),
    })
    await editor.initialize()
    const { sessionId } = await editor.newSession({
      cwd: lab.path,
      mcpServers: [richServer({ name: 'alpha', log: join(lab.path, log) })],
    })
    await editor.prompt(sessionId, 'go')
    return editor
      .permissionRequests()
      .filter(({ toolCall }) => toolCall.title === 'alpha: wants to use your model')
  }
  const [first] = await ask('one')
  expect(JSON.stringify(first?.toolCall.content)).toContain('rich-server.mjs')
  expect(await ask('one')).toEqual([])
  const [again] = await ask('two')
  expect(JSON.stringify(again?.toolCall.content)).toContain("its server's arguments")
})

it('"this session" does not', async () => {
  await using lab = await openLab()
  await promptOnce(lab, 'allow-session')
  expect(await promptOnce(lab, 'reject-once')).toMatchObject({ asked: 1 })
})

it('a tool whose definition has changed asks again and says what changed', async () => {
  // Otherwise the change itself is asked about, and the answer renews the grant.
  await using lab = await openLab((lab) => ({
    mcpServers: { work: entry(lab, { definitionChanges: 'ignore' }) },
  }))
  await promptOnce(lab, 'allow-server')
  await lab.offer('work', [{ name: 'do', description: 'Does it. It sends it elsewhere.' }, 'other'])
  const again = await promptOnce(lab, 'reject-once')
  expect(again).toMatchObject({ asked: 1, statuses: ['failed'] })
  for (const part of ['its description', '-  Does it', '+  Does it.', '+  It sends it elsewhere.'])
    expect(again.texts[0]).toContain(part)

  // Grants from before the definition was kept have none.
  const { database } = openDatabase(join(lab.path, 'state'))
  database.exec('UPDATE grants SET definition = NULL')
  database.close()
  const old = await promptOnce(lab, 'reject-once')
  expect(old.texts[0]).toContain('The earlier definition was not kept, so it cannot be compared.')
  expect(old.texts[0]).not.toContain('```diff')
})

it('a server that is started differently asks again and says what changed', async () => {
  await using lab = await openLab()
  await promptOnce(lab, 'allow-always')
  await lab.writeAgentFile({
    mcpServers: { work: entry(lab, { env: { NODE_OPTIONS: '--no-deprecation' } }) },
  })
  const again = await promptOnce(lab, 'reject-once')
  expect(again).toMatchObject({ asked: 1 })
  expect(again.texts[0]).toContain("its server's variables")
})

it('a grant of one agent does not apply to another', async () => {
  await using lab = await openLab()
  await promptOnce(lab, 'allow-always')
  await lab.writeAgentFile({ name: 'another', mcpServers: { work: entry(lab) } })
  expect(await promptOnce(lab, 'reject-once')).toMatchObject({ asked: 1 })
})

it.each([
  ['auto', { approval: { mode: 'auto' } }, 0],
  ['always-ask, whatever is trusted', { approval: { mode: 'always-ask', trustedTools: ['work:*'] } }, 1],
  ['trusted-only, trusted', { approval: { mode: 'trusted-only', trustedTools: ['work:do'] } }, 0],
  ['trusted-only, not trusted', { approval: { mode: 'trusted-only', trustedTools: ['work:other'] } }, 1],
  ['allowed by the file', { toolbox: { tools: [{ name: 'do', approval: 'allow' }] } }, 0],
  [
    'asked by the file',
    { approval: { mode: 'auto' }, toolbox: { tools: [{ name: 'do', approval: 'ask' }] } },
    1,
  ],
  [
    'forbidden by the file',
    { approval: { mode: 'auto' }, toolbox: { tools: [{ name: 'do', approval: 'deny' }] } },
    0,
  ],
])('%s', async (_, file, questions) => {
  await using lab = await openLab((opened) => ({ mcpServers: { work: entry(opened) }, ...file }))
  expect(await promptOnce(lab, 'reject-once')).toMatchObject({ asked: questions })
})

it.each([
  ['trusted', true, 0],
  ['not trusted', false, 1],
])("a server's read-only hint counts when the server is %s", async (_, trusted, questions) => {
  await using lab = await openLab((opened) => ({
    approval: { mode: 'trusted-only' },
    mcpServers: { work: entry(opened, { trusted }) },
  }))
  await lab.offer('work', [{ name: 'do', annotations: { readOnlyHint: true } }])
  expect(await promptOnce(lab, 'reject-once')).toMatchObject({ asked: questions })
})

it('the mode can be changed during a turn, as an ACP mode and as an option', async () => {
  await using lab = await openLab()
  await using editor = await lab.open({
    async onPermission(request) {
      await editor.request('session/set_config_option', {
        sessionId: request.sessionId,
        configId: 'mode',
        value: 'auto',
      })
      return selectPermission('allow_once')(request)
    },
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'go')
  await editor.prompt(sessionId, 'go')
  expect(editor.permissionRequests()).toHaveLength(1)
  expect(editor.updates(sessionId)).toContainEqual({
    sessionUpdate: 'current_mode_update',
    currentModeId: 'auto',
  })
})
