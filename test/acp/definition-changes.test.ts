import { expect, test } from 'vitest'
import { load } from '../support/acp-sessions.ts'
import type { AcpPeerOptions } from '../support/acp-peer.ts'
import { entryOf, openAgentLab, openSession, type AgentLab } from '../support/agent-lab.ts'
import { lastResult } from '../support/last-result.ts'
import { until } from '../support/processes.ts'

/** This file is about the answers; changed-definitions is about the changes, in all modes. */
async function openLab(file: object = {}, entry: object = {}): Promise<AgentLab> {
  const lab = await openAgentLab(({ messages }) => {
    const last = messages.at(-1)?.parts ?? []
    const isAsked = last.some((part) => part.type === 'text' && part.text.includes('work'))
    return isAsked ? { toolCalls: [{ name: 'work__do', args: {} }] } : { text: 'ok' }
  })
  await lab.offer('work', [{ name: 'do', description: 'Does it.' }, 'other'])
  await lab.writeAgentFile({ mcpServers: { work: entryOf(lab, 'work', entry) }, ...file })
  return lab
}

const change = (lab: AgentLab) => lab.offer('work', [{ name: 'do', description: 'Sends it.' }, 'other'])

const answering = (optionId: string): AcpPeerOptions => ({
  onPermission: () => ({ outcome: { outcome: 'selected', optionId } }),
})

const allow = answering('allow-once')
const reject = answering('reject-once')
const resultOf = ({ model }: AgentLab) => lastResult(model.requests.at(-1))
const definitionsOf = ({ model }: AgentLab) =>
  model.requests.at(-1)?.tools.map(({ name, description }) => `${name}: ${description}`) ?? []

/** Prompts a new session of a new process once, when its server is connected: until then, it offers what it offered before. */
async function promptOnce(lab: AgentLab, options: AcpPeerOptions, text = 'hello') {
  await using editor = await lab.open(options)
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, '/mcp reconnect work')
  await editor.prompt(sessionId, text)
  return {
    text: editor.text(sessionId),
    titles: editor.permissionRequests().map((each) => each.toolCall.title),
    sessionId,
  }
}

const question = 'Use what the MCP server "work" has changed'

test('a call waits for the answer, and an "always" holds for the definition that was accepted', async () => {
  await using lab = await openLab()
  await promptOnce(lab, answering('allow-always'), 'work')
  await change(lab)
  const answer = Promise.withResolvers<void>()
  await using editor = await lab.open({
    async onPermission(request, ...rest) {
      await answer.promise
      return allow.onPermission?.(request, ...rest) ?? { outcome: { outcome: 'cancelled' } }
    },
  })
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, '/mcp reconnect work')
  // The tool is left out, and this model calls it anyway.
  const ended = editor.prompt(sessionId, 'work')
  await until('the call', async () =>
    editor.updates(sessionId).some((each) => each.sessionUpdate === 'tool_call' && each.title !== question),
  )
  expect(definitionsOf(lab).join()).toContain('work__other')
  expect(definitionsOf(lab).join()).not.toMatch(/work__do|Sends it/)
  answer.resolve()
  await ended
  expect(resultOf(lab)).toBe('do is done')
  expect(editor.permissionRequests().map((each) => each.toolCall.title)).toEqual([question])
  // A person never allowed the old text of a server, so the question does not say so.
  const shown = JSON.stringify(editor.permissionRequests())
  expect(shown).toContain('+  Sends it.')
  expect(shown).not.toContain('You allowed it before')
  // An accepted tool arrives like a new one.
  expect(definitionsOf(lab).at(-1)).toBe('work__do: Sends it.')
})

test('a call after a no says why, and the next session does not offer the tool or ask', async () => {
  await using lab = await openLab({ approval: { mode: 'auto' } })
  await promptOnce(lab, allow)
  await change(lab)
  expect((await promptOnce(lab, reject, 'work')).titles).toEqual([question])
  expect(resultOf(lab)).toContain('the person has not accepted the new one. Nothing was run.')
  const next = await promptOnce(lab, reject, 'work')
  expect(next.titles).toEqual([])
  expect(next.text).toContain('left out until you accept it: do (its description)')
  expect(next.text).toContain('“definitionChanges: tell” accepts what you refused.')
  expect(definitionsOf(lab).join()).not.toContain('work__do')
  expect(await lab.log('work')).toEqual([])
  expect(resultOf(lab)).toContain('the person has not accepted the new one. Nothing was run.')
})

test('a loaded session still sends what it sent before a no', async () => {
  await using lab = await openLab()
  const { sessionId } = await promptOnce(lab, reject)
  const before = definitionsOf(lab)
  await change(lab)
  await using editor = await lab.open(reject)
  await editor.initialize()
  await load(editor, { sessionId, cwd: lab.path })
  await editor.prompt(sessionId, '/mcp reconnect work')
  await editor.prompt(sessionId, 'hello')
  expect(definitionsOf(lab)).toEqual(before)
})

test.each(['cancelled', 'nobody'])(
  'without an answer (%s), nothing is accepted or remembered',
  async (who) => {
    await using lab = await openLab({ approval: { mode: 'auto' } })
    await promptOnce(lab, allow)
    await change(lab)
    const silent: AcpPeerOptions =
      who === 'nobody'
        ? { onPermission: () => Promise.reject(new Error('no')) }
        : { onPermission: () => ({ outcome: { outcome: 'cancelled' } }) }
    await promptOnce(lab, silent, 'work')
    expect(resultOf(lab)).toContain('Nothing was run.')
    expect((await promptOnce(lab, allow, 'work')).titles).toEqual([question])
    expect(resultOf(lab)).toBe('do is done')
  },
)

test('sessions that share a server ask once', async () => {
  await using lab = await openLab({ approval: { mode: 'auto' } })
  await using editor = await lab.open(allow)
  const first = await openSession(editor, lab)
  const { sessionId: second } = await editor.newSession({ cwd: lab.path })
  for (const id of [first, second]) await editor.prompt(id, 'hello')
  await change(lab)
  await until('the question', async () => editor.permissionRequests().length > 0)
  for (const id of [first, second]) {
    await editor.prompt(id, 'work')
    expect(resultOf(lab)).toBe('do is done')
    expect(definitionsOf(lab).join()).toContain('work__do: Sends it.')
  }
  expect(editor.permissionRequests()).toHaveLength(1)
})

test.each([
  ['an agent file', 'tell', { definitionChanges: 'tell' }, {}],
  ['its entry', 'tell', {}, { definitionChanges: 'tell' }],
  ['an agent file', 'ignore', { definitionChanges: 'ignore' }, {}],
  ['its entry, not the agent file', 'ignore', { definitionChanges: 'ask' }, { definitionChanges: 'ignore' }],
])('%s says %s', async (_, heed, file, entry) => {
  await using lab = await openLab({ approval: { mode: 'auto' }, ...file }, entry)
  await promptOnce(lab, reject)
  await change(lab)
  const { titles, text } = await promptOnce(lab, reject, 'work')
  expect(titles).toEqual([])
  expect(resultOf(lab)).toBe('do is done')
  expect(text.includes('do (its description): was “Does it.”, is “Sends it.”')).toBe(heed === 'tell')
  // It is told once.
  expect((await promptOnce(lab, reject)).text).not.toContain('Sends it.')
})

test('an addition is told and used at once, unless it is asked about', async () => {
  await using lab = await openLab({}, {})
  await promptOnce(lab, reject)
  await lab.offer('work', ['other', { name: 'do', description: 'Does it.' }, 'more'])
  const told = await promptOnce(lab, reject)
  expect(told.titles).toEqual([])
  expect(told.text).toContain('The MCP server work has changed: new: more.')
  expect(definitionsOf(lab).join()).toContain('work__more')

  await lab.writeAgentFile({ mcpServers: { work: entryOf(lab, 'work', { definitionChanges: 'ask' }) } })
  await lab.offer('work', ['other', { name: 'do', description: 'Does it.' }, 'more', 'most'])
  const asked = await promptOnce(lab, reject)
  expect(asked.titles).toEqual([question])
  expect(definitionsOf(lab).join()).not.toContain('work__most')
})

const passed = (lab: AgentLab) => [{ name: 'work', ...lab.command('work'), env: [] }]

test('a session whose server is asleep does not offer what was not told', async () => {
  await using lab = await openLab({ mcpServers: {} })
  for (const [tools, prompt] of [
    [['other'], 'hello'],
    [['other', 'more'], '/mcp reconnect work'],
    [['other', 'more'], 'hello'],
  ] as const) {
    await lab.offer('work', tools)
    await using editor = await lab.open(reject)
    await editor.prompt(await openSession(editor, lab, passed(lab)), prompt)
  }
  expect(definitionsOf(lab).join()).toMatch(/work__other/)
  expect(definitionsOf(lab).join()).not.toMatch(/work__more/)
})

test('a changed prompt of a server that is asleep is asked about before it is used', async () => {
  await using lab = await openLab({ mcpServers: {} })
  const offer = (description: string) => lab.offer('work', { prompts: [{ name: 'brief', description }] })
  await offer('One.')
  {
    await using editor = await lab.open(reject)
    await editor.prompt(await openSession(editor, lab, passed(lab)), 'hello')
  }
  for (const [description, answer, isUsed] of [
    ['Two.', reject, false],
    ['Three.', allow, true],
  ] as const) {
    await offer(description)
    await using editor = await lab.open(answer)
    const sessionId = await openSession(editor, lab, passed(lab))
    const before = lab.model.requests.length
    await editor.prompt(sessionId, '/work:brief').catch(() => undefined)
    expect(editor.permissionRequests().map((each) => each.toolCall.title)).toEqual([question])
    expect(lab.model.requests.length > before).toBe(isUsed)
  }
})
