import { setTimeout as delay } from 'node:timers/promises'
import { OstlerError } from '../base/errors.ts'
import { createMessageId, createReportId } from '../base/ids.ts'
import { text, type ContentBlock, type TextBlock } from '../messages/content.ts'
import type { StopReason, TurnEvent } from '../messages/turn-event.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { Turn } from '../turn/turn.ts'
import { buildTurn } from './build-turn.ts'
import { answerToolsCommand, describeServers, matchCommand, toPromptArguments, type AnswerCommand, type CommandMatch } from './commands.ts'
import { parseMcpCommand, reportAbout } from './mcp-command.ts'
import { hasProblems } from '../servers/server-report.ts'
import { clientsOf, promptsOf, reportOf, toolsOf, type SessionState } from './session-state.ts'
import { createTurnTools, promptText } from './turn-tools.ts'

export interface PromptPorts {
  readonly emit: (event: TurnEvent) => Promise<void>
  /** Called before the turn runs, for servers that sample the model meanwhile. */
  readonly onTurn: (turn: Turn) => void
}

/** Answers a prompt up to its `turn_end`. A model error ends the turn with the error as text. Only a missing or rejected key throws. */
export async function answerPrompt(
  state: SessionState,
  content: readonly ContentBlock[],
  ports: PromptPorts,
  signal: AbortSignal,
): Promise<void> {
  let turn: Turn | undefined
  const stopReason = await respond().catch(toStopReason)
  await ports.emit({ type: 'turn_end', stopReason, usage: turn?.usage.total() ?? noUsage })

  async function respond(): Promise<StopReason> {
    const early = matchCommand(content, promptsOf(state))
    // Only `/mcp` can be answered before the servers have settled.
    if (early?.type !== 'answer' || early.name !== 'mcp') await waitForServers(state, signal)
    await reportServers(state, ports)
    await waitForCheck(state, signal)
    if (signal.aborted) return 'cancelled'
    await reportServers(state, ports)
    const command = matchCommand(content, promptsOf(state))
    if (command?.type === 'answer') return answerCommand(state, command, ports, signal)
    await addUserMessages(state, content, command, signal)
    const [model, { runTurn }, { createToolSearch }] = await preloadTurn(state)
    turn = buildTurn(state, model, createTurnTools(state, promptText(content), createToolSearch), ports.emit)
    ports.onTurn(turn)
    return runTurn(turn, signal)
  }

  async function toStopReason(error: unknown): Promise<StopReason> {
    if (isStartFailure(error)) throw error
    if (signal.aborted) return 'cancelled'
    if (!(error instanceof OstlerError) || needsPerson(error)) throw error
    state.agent.logger.info('a turn ended with an error', { code: error.code, message: error.message })
    await ports.emit({ type: 'text', messageId: createMessageId(), text: error.message })
    return 'end_turn'
  }
}

let isHttpLoaded = false

/** Loads the code and the model of a turn, once. */
export function preloadTurn({ agent, settings }: SessionState) {
  // Node loads its HTTP client on first use.
  if (!isHttpLoaded) void fetch('data:,').catch(() => undefined)
  isHttpLoaded = true
  return Promise.all([agent.openModel(settings.current.model), import('../turn/run-turn.ts'), import('../tools/tool-search.ts')])
}

const noUsage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }

/** True if the key is missing or was rejected. */
function needsPerson(error: unknown): boolean {
  return error instanceof OstlerError && (error.code === 'model.auth' || error.code === 'model.no_key')
}

/** True if a required server is missing, or a strict one offers unconfigured tools. */
function isStartFailure(error: unknown): boolean {
  return error instanceof OstlerError && error.code.startsWith('agent.')
}

/** True if the person will send the prompt again after fixing the cause, so the prompt must not appear twice. */
export function countsAsUnsent(error: unknown): boolean {
  return needsPerson(error) || isStartFailure(error)
}

/** Waits for servers up to a limit. Slower servers continue to connect, and a later step offers their tools. */
async function waitForServers(state: SessionState, signal: AbortSignal): Promise<void> {
  const { agent, servers } = state
  const timer = new AbortController()
  const settled = Promise.all([servers.settled(), agent.servers.settled(), agent.checked])
  const late = delay(agent.connectWaitMs, undefined, { signal: timer.signal }).catch(() => undefined)
  await orAborted(Promise.race([settled, late]), signal, undefined)
  timer.abort()
}

/** Waits until it is certain that the agent may start. The servers that decide this have their own timeouts, which may be longer. */
async function waitForCheck({ agent }: SessionState, signal: AbortSignal): Promise<void> {
  await orAborted(agent.checked, signal, undefined)
  // The shutdown after a failed start also cancels the turn. The failure takes precedence.
  await Promise.race([agent.checked, Promise.resolve()])
}

async function reportServers(state: SessionState, { emit }: PromptPorts): Promise<void> {
  const report = reportOf(state)
  const problems = hasProblems(report) ? JSON.stringify([report.waiting, report.failed, report.warnings]) : ''
  if (problems === state.reported) return
  const isFirst = state.reported === undefined
  state.reported = problems
  if (isFirst || problems !== '') await emit({ type: 'server_report', messageId: createReportId(), report })
}

async function answerCommand(state: SessionState, command: AnswerCommand, { emit }: PromptPorts, signal: AbortSignal): Promise<StopReason> {
  const block =
    command.name === 'mcp'
      ? await answerMcpCommand(state, command.input, signal)
      : answerToolsCommand(command.input, toolsOf(state), state.addedTools)
  if (signal.aborted) return 'cancelled'
  await emit({ type: 'text', messageId: createMessageId(), text: block.text })
  return 'end_turn'
}

/** Waits for a reconnecting server as long as its connection attempt may take. */
async function answerMcpCommand(state: SessionState, input: string, signal: AbortSignal): Promise<TextBlock> {
  const rejected = [...state.agent.rejectedServers(), ...state.rejectedServers]
  const command = parseMcpCommand(input, clientsOf(state), rejected)
  if (command.type === 'answer') return text(command.text)
  if (command.type === 'show') return describeServers(reportOf(state))
  const names = new Set(command.clients.map(({ name }) => name))
  await orAborted(Promise.all(command.clients.map((client) => client.reconnect())), signal, undefined)
  return describeServers(reportAbout(names, reportOf(state)))
}

async function addUserMessages(
  state: SessionState,
  content: readonly ContentBlock[],
  command: CommandMatch | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (command?.type !== 'prompt') {
    state.conversation.add({ role: 'user', id: createMessageId(), content })
    return
  }
  const args = toPromptArguments(command.prompt, command.input)
  const missing = command.prompt.arguments.filter(({ name, required }) => required && !(name in args)).map(({ name }) => name)
  if (missing.length > 0) throw new OstlerError('prompt.arguments_missing', `This command needs: ${missing.join(', ')}.`)
  const { messages } = await command.client.getPrompt(command.prompt.name, args, { signal })
  for (const { role, content: block } of messages) {
    if (role === 'user') state.conversation.add({ role, id: createMessageId(), content: [block] })
    else if (block.type === 'text') state.conversation.add({ role, id: createMessageId(), parts: [block] })
  }
  // Other content of the command, such as a mentioned file, belongs to it.
  if (content.length > 1) state.conversation.add({ role: 'user', id: createMessageId(), content: content.slice(1) })
}
