import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  neverAnswer,
  openAcpProcess,
  selectPermission,
  type AcpPeerOptions,
  type AcpProcess,
} from '../../support/acp-harness.ts'
import { openAgentLab, type AgentLab } from '../../support/agent-lab.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { until } from '../../support/processes.ts'
import { openConsole, type OpenConsole } from '../console-process.ts'
import { openConsolePage, seen, waitMsMax, type ConsolePage } from '../support/browser.ts'
import { offeredTools } from '../support/console-lab.ts'

/**
 * The acceptance scenarios of tools from MCP servers, one after the other as a new user would meet them: there is no agent file yet, and two
 * agents run beside the console all the time.
 */
const opened = new AsyncDisposableStack()
let lab: AgentLab
let server: Awaited<ReturnType<typeof startHttpFixture>>
let console: OpenConsole
let open: ConsolePage
/** Its person answers in the console. */
let first: AcpProcess
/** Its person answers in the editor. */
let second: AcpProcess
let answerInEditor: NonNullable<AcpPeerOptions['onPermission']> = selectPermission('allow_once')

/** Calls the tool that the last prompt names, and then reports the result. */
function script({ messages }: ModelRequest): Reply {
  const last = messages.at(-1)?.parts.findLast(({ type }) => type === 'tool_result')
  if (last?.type === 'tool_result') return { text: `The tool said: ${last.text}` }
  const [, tool] = /call (\w+)[^]*$/.exec(JSON.stringify(messages.at(-1))) ?? []
  return tool === undefined
    ? { text: 'hello' }
    : { toolCalls: [{ name: `notes__${tool}`, args: tool === 'add' ? { a: 40, b: 2 } : {} }] }
}

beforeAll(async () => {
  if (inject('chromium') === undefined) return
  lab = opened.use(await openAgentLab(script))
  server = opened.use(await startHttpFixture('whole-server.mjs', 'http'))
  const stateDir = join(lab.path, 'state')
  console = opened.use(await openConsole({ configDir: lab.path, stateDir, env: lab.model.env }))
  const start = async (onPermission: NonNullable<AcpPeerOptions['onPermission']>) => {
    const editor = await openAcpProcess({
      args: ['--state-dir', stateDir, '--model', lab.model.modelId],
      env: { ...lab.model.env, XDG_CONFIG_HOME: lab.path },
      onPermission,
    })
    await editor.initialize()
    return opened.use(editor)
  }
  first = await start(() => neverAnswer)
  second = await start((request) => answerInEditor(request))
  open = opened.use(await openConsolePage(console))
})
afterAll(() => opened.disposeAsync())

const sessionOf = async (editor: AcpProcess) =>
  (await editor.newSession({ cwd: lab.path, mcpServers: [] })).sessionId
const question = () => open.get('article', /add|fail/)

/** Saves what was changed on the page of the agent. */
async function save(): Promise<void> {
  await open.press('Review changes')
  // A button that has only just moved ignores a press, so it is pressed until the dialog has gone.
  await seen(async () => {
    await open
      .inDialog('button', /^(Save|Create)/)
      .click({ timeout: 1_000 })
      .catch(() => undefined)
    return open.get('dialog').count()
  }).toBe(0)
}

/** The tools of the server that the model of a session is offered from now on. */
async function offeredTo(editor: AcpProcess, sessionId: string): Promise<readonly string[]> {
  await editor.prompt(sessionId, 'hello')
  return offeredTools(lab).filter((name) => name.startsWith('notes__'))
}

/** The last call in the chat: every state that the editor was shown, and its last content. */
function callIn(
  editor: AcpProcess,
  sessionId: string,
): { readonly states: readonly unknown[]; readonly text: string } {
  const updates = editor
    .updates(sessionId)
    .flatMap((update) =>
      update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [update] : [],
    )
  const own = updates.filter(({ toolCallId }) => toolCallId === updates.at(-1)?.toolCallId)
  return { states: own.flatMap(({ status }) => status ?? []), text: JSON.stringify(own.at(-1)?.content) }
}

const ends = (state: string, text: string) => ({
  states: ['pending', 'in_progress', state],
  text: expect.stringContaining(text) as string,
})

test('Add MCP server', async () => {
  await open.go('/')
  await open.sees('No servers yet')
  await open.press('Add a server')
  await open.inDialog('button', 'Fill in a form').click()
  await open.inDialog('textbox', 'Name (required)').fill('notes')
  await open.inDialog('radio', 'HTTP').check()
  await open.inDialog('textbox', /^URL/).fill(server.url)
  await open.inDialog('button', 'Test connection').click()
  const tools = open.inDialog('list', 'Discovered tools').getByRole('listitem')
  await seen(() => tools.count()).toBe(6)
  expect(await tools.first().textContent()).toBe('add Adds two numbers')
  await open.sees('Connected')
  const card = open.page.getByRole('article', { name: 'notes', exact: true })
  expect(await card.count()).toBe(0)
  await open.inDialog('button', 'Save').click()
  await open.page.waitForURL('**/servers/notes')
  await open.get('link', 'Servers').click()
  await card.getByText(server.url).waitFor()
  await card.getByText('6 tools').waitFor()
  expect((await console.ask('GET', '/api/servers')).json.servers).toMatchObject([
    { name: 'notes', transport: 'http' },
  ])
})

test('Connect GPT to MCP server', async () => {
  const agents = [[first, await sessionOf(first)] as const, [second, await sessionOf(second)] as const]
  const inUse = async (count: number, states = ['connected', 'idle']) => {
    await seen(async () => {
      const { live } = (await console.ask('GET', '/api/servers')).json
      return live.filter(({ status }: { status: string }) => states.includes(status)).length
    }).toBe(count)
  }
  // Agents start what is saved, unless another agent has met it by then: it sleeps in the later one.
  await inUse(2)
  await open.get('link', 'Agent').click()
  await open.get('navigation', 'Parts of the agent').getByRole('link', { name: 'Servers' }).click()
  // The first save creates the agent file. Agents that started without one follow it.
  await open.get('radio', 'None').check()
  await open.sees(/^0 of 1 server selected/)
  await open.get('contentinfo').getByText('(no agent file)').waitFor()
  await save()
  // The page says so at once.
  await open.get('contentinfo').getByText('(no agent file)').waitFor({ state: 'detached' })
  await access(join(lab.path, 'ostler/ostler.yaml'))
  await inUse(0)
  for (const [editor, sessionId] of agents) expect(await offeredTo(editor, sessionId)).toEqual([])
  await open.get('checkbox', 'notes').check()
  await open.sees(/^1 of 1 server selected · 6 tools$/)
  await open.get('list', 'Servers of the agent').getByText('6 tools').waitFor()
  await save()
  // They know its tools by now, so it sleeps until one is called.
  await inUse(2, ['idle'])
  for (const [editor, sessionId] of agents) expect(await offeredTo(editor, sessionId)).toContain('notes__add')
  await open.go('/servers/notes')
  await open.get('region', 'State').getByText('Asleep until called in 2 agents').waitFor()
  await open.get('link', 'Servers').click()
  const card = open.page.getByRole('article', { name: 'notes', exact: true })
  await card.getByText('Asleep until called in 2 agents').waitFor()
  await card.getByText('6 tools').waitFor()
})

test('Execute MCP tool during chat', async () => {
  const [sessionId, other] = [await sessionOf(first), await sessionOf(second)]
  await open.go('/calls')
  const ended = first.prompt(sessionId, 'Please call add')
  // The same question is in the editor, and on every page of the console.
  await open.get('button', /Waiting for you notes \/ add/).waitFor()
  expect(await until('it', () => first.permissionRequests()[0])).toMatchObject({ sessionId })
  // The other agent is not held up.
  await second.prompt(other, 'Please call add')
  expect(second.text(other)).toBe('The tool said: 42')
  expect(callIn(second, other)).toEqual(ends('completed', '42'))
  await open.get('link', 'Sessions').click()
  await open.get('link', 'Please call add').first().waitFor()
  await open.go(`/sessions/${sessionId}`)
  const turn = open.get('region', 'Turn 1')
  await turn.getByRole('link', { name: 'Answer here' }).click()
  await question().getByRole('link', { name: 'Please call add' }).waitFor()
  expect(await question().getByRole('region', { name: 'Arguments' }).textContent()).toMatch(/a.*40.*b.*2/)
  await question().getByRole('button', { name: 'Allow once' }).click()
  expect(await ended).toEqual({ stopReason: 'end_turn' })
  await open.sees('No agent is waiting for you')
  expect(first.text(sessionId)).toBe('The tool said: 42')
  expect(callIn(first, sessionId)).toEqual(ends('completed', '42'))
  await open.page.goBack()
  await turn.getByRole('group', { name: 'Answer' }).getByText('The tool said: 42').waitFor()
  await turn.getByRole('group').filter({ hasText: 'notes__add' }).locator('summary').first().click()
  await turn.getByText('Succeeded', { exact: true }).waitFor()
  await turn.getByRole('link', { name: 'Show in Calls' }).click()
  await open.sees(/You allowed it once, in the console/i)
})

test('Handle tool execution failure', async () => {
  const sessionId = await sessionOf(first)
  const ended = first.prompt(sessionId, 'Please call fail')
  await open.get('link', /^Questions/).click()
  await question().getByRole('button', { name: 'Allow once' }).click()
  await ended
  await open.go('/calls?status=error')
  await open.get('button', /Failed notes \/ fail.*it went wrong/).click()
  await open.get('region', 'Error').getByText('it went wrong').waitFor()
  const told = lab.model.requests.at(-1)?.messages.at(-1)?.parts
  expect(told).toMatchObject([
    { type: 'tool_result', isError: true, text: expect.stringContaining('it went wrong') as string },
  ])
  expect(first.text(sessionId)).toContain('The tool said: it went wrong')
  expect(callIn(first, sessionId)).toEqual(ends('failed', 'it went wrong'))
})

test('Manage tool approval settings', async () => {
  answerInEditor = selectPermission('reject_once')
  /** Whether a new session of a running agent is asked before the call. */
  const isAsked = async (tool: string) => {
    const before = second.permissionRequests().length
    await second.prompt(await sessionOf(second), `Please call ${tool}`)
    return second.permissionRequests().length > before
  }
  // A running agent follows within two seconds.
  const untilAsked = async (tool: string, isExpected: boolean) => {
    await expect.poll(() => isAsked(tool), { timeout: waitMsMax, interval: 250 }).toBe(isExpected)
  }
  const runs = async (tool: string) => {
    const sessionId = await sessionOf(second)
    await second.prompt(sessionId, `Please call ${tool}`)
    return callIn(second, sessionId)
  }
  await open.go('/agent')
  await open.get('radio', 'Auto').check()
  await save()
  await untilAsked('add', false)
  expect(await runs('add')).toEqual(ends('completed', '42'))

  await open.get('radio', 'Always ask').check()
  await save()
  await untilAsked('add', true)
  expect(await isAsked('fail')).toBe(true)
  answerInEditor = () => neverAnswer
  const sessionId = await sessionOf(second)
  const ended = second.prompt(sessionId, 'Please call add')
  await open.get('link', /^Questions/).click()
  await question()
    .getByRole('button', { name: /^Reject/ })
    .first()
    .click()
  await ended
  expect(second.text(sessionId)).not.toContain('42')
  answerInEditor = selectPermission('reject_once')

  await open.go('/agent')
  await open.get('radio', 'Trusted only').check()
  await open.get('checkbox', 'Trust notes / add').check()
  await save()
  await untilAsked('add', false)
  expect(await runs('add')).toEqual(ends('completed', '42'))
  expect(await isAsked('fail')).toBe(true)
  await open.press('Stop trusting notes:add')
  expect(await open.get('checkbox', 'Trust notes / add').isChecked()).toBe(false)
})
