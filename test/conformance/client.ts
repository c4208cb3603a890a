import { setTimeout as delay } from 'node:timers/promises'
import type { AcpPeer } from '../support/acp-peer.ts'
import { openAgentLab } from '../support/agent-lab.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'
import { authOf, type ScenarioContext } from './auth-of.ts'
import type { Ostler } from './ostlers.ts'
import { sampleOf } from './sample-of.ts'

const server = 'suite'
const loginsMax = 4
const connectMsMax = 4_000
const settleMsMax = 30_000
/**
 * On a busy machine, a server may fail at first and be connected a moment later. The wait is shorter for a server that is connected and has
 * no tools.
 */
const idleRoundsMax = 8
const idleRoundsConnected = 1
const idleMs = 1_500

interface Form {
  readonly mode: 'form' | 'url'
  readonly message: string
  readonly requestedSchema: {
    readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
    readonly required?: readonly string[]
  }
}

interface PlannedCall {
  readonly name: string
  readonly arguments: unknown
}

/** The instructions of the suite to its client. */
export interface Task {
  readonly scenario: string
  /** The address of the suite's server. */
  readonly url: string
  readonly context: ScenarioContext
}

/**
 * The client of the official suite: Ostler in an editor, with a scripted model that calls every tool, and a person who allows everything,
 * accepts every form with its defaults, and logs in when asked. Returns what the logins printed.
 */
export async function runClient({ scenario, url, context }: Task, ostler: Ostler): Promise<string> {
  const model = createCaller(context.toolCalls ?? [])
  await using lab = await openAgentLab(model.answer)
  const auth = await authOf(scenario, context, url)
  const isConfigured =
    auth !== undefined || context.toolCalls !== undefined || scenario.startsWith('json-schema')
  const entry = { type: 'http', url, mode: 'dynamic', defaultToolConfig: {}, ...(auth && { auth }) }
  await lab.writeAgentFile(isConfigured ? { mcpServers: { [server]: entry } } : {})
  const env = { OSTLER_SECRET_STORE: 'file', HOME: lab.path }
  const places = ['--agent', `${lab.path}/ostler.json`, '--state-dir', `${lab.path}/state`]
  if (scenario.startsWith('json-schema-2020-12')) {
    const shown = await ostler.showTools([server, 'json_schema_2020_12_tool', '--json', ...places], env)
    model.plan([echoOfSchema(shown)])
  }

  await using editor = await ostler.open(lab, {
    env,
    capabilities: { elicitation: { form: {}, url: {} } },
    handlers: { 'elicitation/create': (params) => answerForm(params as Form) },
  })
  await editor.initialize()
  const mcpServers = isConfigured ? [] : [{ type: 'http', name: server, url, headers: [] }]
  const { sessionId } = await editor.newSession({ cwd: lab.path, mcpServers })
  let printed = ''
  for (let logins = 0, idleRounds = 0; logins <= loginsMax;) {
    // A prompt does not wait long for a slow server. The suite is about what happens afterwards.
    await withoutMention(editor, sessionId, 'still connecting', settleMsMax)
    const before = editor.transcript.length
    const textBefore = editor.text(sessionId).length
    model.restart()
    await editor.prompt(sessionId, 'Call every tool.')
    // A tool names the login that it needs. The list names that of a server that is not connected.
    await editor.prompt(sessionId, '/mcp')
    // A text arrives in pieces, which may cut an address in two.
    const others = editor.transcript
      .slice(before)
      .flatMap(({ line }) => (line.includes('agent_message_chunk') ? [] : [line]))
    const wanted = loginIn([editor.text(sessionId).slice(textBefore), ...others])
    if (wanted === undefined) {
      const isConnected = editor.text(sessionId).slice(textBefore).includes(`**${server}**: connected`)
      if (model.made() > 0 || idleRounds++ >= (isConnected ? idleRoundsConnected : idleRoundsMax)) break
      await delay(idleMs)
      continue
    }
    logins++
    const { code, stderr } = await ostler.logIn([...wanted, '--no-open', ...places], env)
    printed += stderr
    if (code !== 0) break
    // A running session notices a login by itself. The server may reject it at once, and then needs another one.
    await withoutMention(editor, sessionId, 'needs a login', connectMsMax)
  }
  return printed
}

/** A model that calls one tool per step: those that are planned, or else each one. */
function createCaller(first: readonly PlannedCall[]) {
  let planned = first
  let made = 0
  return {
    plan: (calls: readonly PlannedCall[]) => void (planned = calls),
    restart: () => void (made = 0),
    made: () => made,
    answer({ tools }: ModelRequest): Reply {
      const offered = tools.filter(({ name }) => name.startsWith(`${server}__`))
      const calls =
        planned.length > 0
          ? planned
          : offered.map(({ name, inputSchema }) => ({ name, arguments: sampleOf(inputSchema) }))
      const next = calls[made]
      if (next === undefined || offered.length === 0) return { text: 'done' }
      made += 1
      const tool = offered.find(({ name }) => name === next.name || name === `${server}__${next.name}`)
      return tool === undefined
        ? { text: `there is no ${next.name}` }
        : { toolCalls: [{ name: tool.name, args: next.arguments }] }
    },
  }
}

/** The words after `ostler mcp login` in the advice of Ostler. */
function loginIn(lines: readonly string[]): string[] | undefined {
  const [, target, scope] = /ostler mcp login ([^\s"\\]+)(?: --scope '([^']+)')?/.exec(lines.join('\n')) ?? []
  if (target === undefined) return undefined
  return [target, ...(scope === undefined ? [] : ['--scope', scope])]
}

/** Waits until the list of servers does not contain some words any more. */
async function withoutMention(
  editor: AcpPeer,
  sessionId: string,
  words: string,
  msMax: number,
): Promise<void> {
  const end = Date.now() + msMax
  while (Date.now() < end) {
    const before = editor.text(sessionId).length
    await editor.prompt(sessionId, '/mcp')
    if (!editor.text(sessionId).slice(before).includes(words)) return
    await delay(200)
  }
}

function answerForm({ mode, message, requestedSchema }: Form) {
  // The command line logs in, so that its own browser is tested.
  if (mode !== 'form') return { action: message.includes('with your browser') ? 'decline' : 'accept' }
  const { properties = {}, required = [] } = requestedSchema
  const fields = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || (field.default ?? null) !== null,
  )
  return {
    action: 'accept',
    content: Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)])),
  }
}

/** The schema that Ostler keeps. A model receives it as its vendor accepts it, so the command line shows it. */
function echoOfSchema(shown: string): PlannedCall {
  const { inputSchema } = JSON.parse(shown) as { inputSchema: unknown }
  return { name: 'json_schema_echo', arguments: { schema: inputSchema } }
}
