import { OstlerError } from '../base/errors.ts'
import { createMessageId, createReportId } from '../base/ids.ts'
import { text, type ContentBlock } from '../messages/content.ts'
import type { StopReason, TurnError, TurnEvent } from '../messages/turn-event.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { Turn } from '../turn/turn.ts'
import { buildTurn } from './build-turn.ts'
import { matchCommand, type CommandMatch } from './commands.ts'
import { listCommands } from './commands/stop.ts'
import { hasProblems } from '../servers/server-report.ts'
import { loadSessionSkills } from './session-skills.ts'
import { nameSession } from './name-session.ts'
import { createOfferNote } from './note-offers.ts'
import { preloadTurn } from './preload-turn.ts'
import { reportOf, type SessionState } from './session-state.ts'
import { runTitled } from './write-title.ts'
import { createTurnTools, promptText } from './turn-tools.ts'
import { closeLastTurn, withdrawRefused } from './unanswered-prompt.ts'
import { atMost } from '../base/at-most.ts'

export interface PromptPorts {
  readonly emit: (event: TurnEvent) => Promise<void>
  /** Called before the turn runs, for servers that sample the model during the turn. */
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
  let failure: TurnError | undefined
  let isTold = false
  const stopReason = await respond().catch(toStopReason)
  if (stopReason === 'cancelled' && !isTold) keepCancelled(state, content)
  await tellRunningCommands(state, ports)
  await ports.emit({ type: 'turn_end', stopReason, usage: turn?.usage.total() ?? noUsage, ...(failure && { error: failure }) })

  async function respond(): Promise<StopReason> {
    await orAborted(loadSessionSkills(state), signal, undefined)
    const early = matchCommand(content, state)
    const isImmediate = early?.type === 'answer' && early.command.isImmediate === true
    if (!isImmediate) await waitForServers(state, signal)
    await reportServers(state, ports, isImmediate)
    await waitForCheck(state, signal)
    if (signal.aborted) return 'cancelled'
    await reportServers(state, ports, isImmediate)
    const match = matchCommand(content, state)
    if (match?.type === 'answer' || match?.type === 'unknown') return answerCommand(match)
    nameSession(state, content)
    const isFirst = state.conversation.messages.length === 0
    closeLastTurn(state.conversation)
    await addUserMessages(state, content, match, signal)
    isTold = true
    const [model, { runTurn }] = await preloadTurn(state)
    const briefing = await import('./brief.ts')
    const notes = await orAborted(briefing.brief(state, model.contextSize), signal, [])
    if (signal.aborted) return 'cancelled'
    for (const note of notes) state.conversation.add(note)
    const toolSet = createTurnTools(state, model, promptText(content), createOfferNote(state))
    turn = buildTurn(state, model, toolSet, ports.emit)
    ports.onTurn(turn)
    const running = turn
    return isFirst ? runTitled(state, content, running, signal, () => runTurn(running, signal)) : runTurn(turn, signal)
  }

  async function answerCommand(match: Exclude<CommandMatch, { type: 'prompt' }>): Promise<StopReason> {
    const answer = match.type === 'unknown' ? match.text : await match.command.answer(state, match.input, ports, signal)
    if (signal.aborted) return 'cancelled'
    await ports.emit({ type: 'text', messageId: createMessageId(), text: answer })
    return 'end_turn'
  }

  async function toStopReason(error: unknown): Promise<StopReason> {
    if (isStartFailure(error)) throw error
    if (signal.aborted) return 'cancelled'
    if (!(error instanceof OstlerError) || needsPerson(error)) throw error
    withdrawRefused(state.conversation, error)
    state.agent.logger.info('a turn ended with an error', { code: error.code, message: error.message })
    failure = { code: error.code, messageId: createMessageId() }
    await ports.emit({ type: 'text', messageId: failure.messageId, text: error.message })
    return 'end_turn'
  }
}

/** Tells the person which commands still run. The model already knows. Some editors join messages, so a blank line separates them. */
async function tellRunningCommands({ agent, builtin }: SessionState, { emit }: PromptPorts): Promise<void> {
  const running = builtin.runningCommands()
  if (running.length === 0) return
  const hint = running.length === 1 ? '`/stop` stops it.' : '`/stop` stops all of them, `/stop ID` stops one.'
  const text = `\n\nStill running until the session ends: ${listCommands(running, agent.membranes.strike)}. ${hint}`
  await emit({ type: 'text', messageId: createMessageId(), text })
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
  const settled = Promise.all([servers.ready(), agent.servers.ready(), agent.checked])
  await atMost(agent.connectWaitMs, orAborted(settled, signal, undefined), undefined)
}

/** Waits until it is certain that the agent may start. The servers that decide this have their own timeouts, which may be longer. */
async function waitForCheck({ agent }: SessionState, signal: AbortSignal): Promise<void> {
  await orAborted(agent.checked, signal, undefined)
  // The shutdown after a failed start also cancels the turn. The failure takes precedence.
  await Promise.race([agent.checked, Promise.resolve()])
}

/** If no prompt has waited for the servers, it is not a problem yet that they are still connecting. */
async function reportServers(state: SessionState, { emit }: PromptPorts, isImmediate: boolean): Promise<void> {
  const report = reportOf(state)
  if (isImmediate && report.waiting.length > 0) return
  const problems = hasProblems(report) ? JSON.stringify([report.waiting, report.failed, report.warnings]) : ''
  const before = state.memory.reported
  if (problems === before?.problems) return
  const missed = new Set(before?.failed)
  const returned = report.connected.map(({ server }) => server).filter((server) => missed.has(server))
  state.memory.reported = { problems, failed: report.failed.map(({ server }) => server) }
  if (before === undefined || problems !== '' || returned.length > 0)
    await emit({ type: 'server_report', messageId: createReportId(), report: returned.length === 0 ? report : { ...report, returned } })
}

/** The person still sees a prompt that was cancelled before the model could read it, so the model should also see it. A command is kept as it was typed. */
function keepCancelled(state: SessionState, content: readonly ContentBlock[]): void {
  const match = matchCommand(content, state)
  if (match?.type === 'answer' || match?.type === 'unknown') return
  closeLastTurn(state.conversation)
  state.conversation.add({ role: 'user', id: createMessageId(), content })
}

async function addUserMessages(
  state: SessionState,
  content: readonly ContentBlock[],
  match: CommandMatch | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (match?.type !== 'prompt') {
    const changes = state.resources.takeChanges()
    const resolved = await state.resources.resolve(content, signal)
    const whole = changes === undefined ? resolved : [...resolved, text(changes)]
    state.conversation.add({ role: 'user', id: createMessageId(), content: whole })
    return
  }
  for (const message of await match.command.toMessages(state, match.input, signal)) state.conversation.add(message)
  // Other content of the command, such as a mentioned file, belongs to it.
  if (content.length > 1) state.conversation.add({ role: 'user', id: createMessageId(), content: content.slice(1) })
}
