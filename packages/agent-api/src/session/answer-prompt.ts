import { OstlerError } from '../base/errors.ts'
import { createMessageId, createReportId } from '../base/ids.ts'
import { text, type ContentBlock } from '../messages/content.ts'
import type { ServerReport, StopReason, TurnError, TurnEvent } from '../messages/turn-event.ts'
import { orAborted, atMost } from '../base/or-aborted.ts'
import type { Turn } from '../turn/turn.ts'
import { buildTurn } from './build-turn.ts'
import { isImmediateCommand, matchCommand, type CommandMatch } from './commands.ts'
import type { AnswerCommand } from './commands/command.ts'
import { listCommands } from './commands/stop.ts'
import { hasProblems } from '../servers/server-report.ts'
import { createOfferNote } from './note-offers.ts'
import { preloadTurn } from './preload-turn.ts'
import type { Session } from './session.ts'
import type { SessionMemory } from './session-memory.ts'
import type { SessionRecord } from './session-record.ts'
import { nameSession } from './session-title.ts'
import { enabledClients, type Toolbox } from './toolbox.ts'
import { runTitled } from './write-title.ts'
import { createTurnTools, promptText } from './turn-tools.ts'
import { closeLastTurn, withdrawRefused } from './unanswered-prompt.ts'

export interface PromptPorts {
  readonly emit: (event: TurnEvent) => Promise<void>
  /** Called before the turn runs, for servers that sample the model during the turn. */
  readonly onTurn: (turn: Turn) => void
}

/** Answers a prompt up to its `turn_end`. A model error ends the turn with the error as text. Only a missing or rejected key throws. */
export async function answerPrompt(
  session: Session,
  content: readonly ContentBlock[],
  ports: PromptPorts,
  signal: AbortSignal,
): Promise<void> {
  const { project, toolbox, record } = session
  const { conversation, memory } = record
  let turn: Turn | undefined
  let failure: TurnError | undefined
  let isTold = false
  let matched: { readonly match: CommandMatch | undefined } | undefined
  const stopReason = await respond().catch(toStopReason)
  if (stopReason === 'cancelled' && !isTold) keepCancelled()
  await tellRunningCommands(toolbox, record, ports)
  await ports.emit({
    type: 'turn_end',
    stopReason,
    usage: turn?.usage.total() ?? noUsage,
    error: failure,
  })

  async function respond(): Promise<StopReason> {
    await orAborted(project.loadSkills(), signal, undefined)
    await waitForServers()
    if (signal.aborted) return 'cancelled'
    const match = matchOnce()
    if (match?.command.type === 'answer') return answerCommand(match.command, match.input)
    nameSession(record, content)
    const isFirst = conversation.messages.length === 0
    closeLastTurn(conversation)
    await addUserMessages(session, content, match, signal)
    isTold = true
    const [model, { runTurn }] = await preloadTurn(session)
    const { brief, instructionsOf } = await import('./brief.ts')
    const servers = instructionsOf(enabledClients(toolbox))
    const notes = await orAborted(brief(project, record, servers, model.contextSize), signal, [])
    if (signal.aborted) return 'cancelled'
    for (const note of notes) conversation.add(note)
    const noteOffer = createOfferNote(record, toolbox)
    const toolSet = createTurnTools(toolbox, model, promptText(content), noteOffer)
    turn = buildTurn(session, model, toolSet, ports.emit)
    ports.onTurn(turn)
    const running = turn
    return isFirst
      ? runTitled(session, content, running, signal, () => runTurn(running, signal))
      : runTurn(turn, signal)
  }

  async function answerCommand(command: AnswerCommand, input: string): Promise<StopReason> {
    const answer = await command.answer(session, input, ports, signal)
    if (signal.aborted) return 'cancelled'
    await ports.emit({ type: 'text', messageId: createMessageId(), text: answer })
    return 'end_turn'
  }

  async function toStopReason(error: unknown): Promise<StopReason> {
    if (isStartFailure(error)) throw error
    if (signal.aborted) return 'cancelled'
    if (!(error instanceof OstlerError) || needsPerson(error)) throw error
    withdrawRefused(conversation, error)
    session.logger.info('a turn ended with an error', { code: error.code, message: error.message })
    failure = { code: error.code, messageId: createMessageId() }
    await ports.emit({ type: 'text', messageId: failure.messageId, text: error.message })
    return 'end_turn'
  }

  /** The servers that have connected bring commands. */
  function matchOnce(): CommandMatch | undefined {
    return (matched ??= { match: matchCommand(content, session) }).match
  }

  /** Waits for servers up to a limit. Slower servers continue to connect, and a later step offers their tools. */
  async function waitForServers(): Promise<void> {
    const { agent, servers } = toolbox
    const isImmediate = isImmediateCommand(content)
    if (!isImmediate) {
      const settled = Promise.all([servers.ready(), agent.servers.ready(), agent.checked])
      await atMost(agent.connectWaitMs, orAborted(settled, signal, undefined), undefined)
    }
    await reportServers(memory, session.report(), isImmediate, ports)
    if (!(await isPending(agent.checked))) return
    // The servers that decide whether the agent may start have their own timeouts, which may be longer.
    await orAborted(agent.checked, signal, undefined)
    // The shutdown after a failed start also cancels the turn. The failure takes precedence.
    await isPending(agent.checked)
    if (!signal.aborted) await reportServers(memory, session.report(), isImmediate, ports)
  }

  /** The person still sees a prompt that was cancelled before the model could read it, so the model should also see it. A command is kept as it was typed. */
  function keepCancelled(): void {
    const match = matchOnce()
    if (match?.command.type === 'answer') return
    nameSession(record, content)
    closeLastTurn(conversation)
    conversation.add({ role: 'user', id: createMessageId(), content })
  }
}

/** Rejects if the promise was rejected. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve(true)])) === true
}

/** Tells the person which commands still run. The model already knows. Some editors join messages, so a blank line separates them. */
async function tellRunningCommands(
  { builtin }: Toolbox,
  { membranes }: SessionRecord,
  { emit }: PromptPorts,
): Promise<void> {
  const running = builtin.runningCommands()
  if (running.length === 0) return
  const hint = running.length === 1 ? '`/stop` stops it.' : '`/stop` stops all of them, `/stop ID` stops one.'
  const text = `\n\nStill running until the session ends: ${listCommands(running, membranes.strike)}. ${hint}`
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

/** If no prompt has waited for the servers, it is not a problem yet that they are still connecting. */
async function reportServers(
  memory: SessionMemory,
  report: ServerReport,
  isImmediate: boolean,
  { emit }: PromptPorts,
): Promise<void> {
  if (isImmediate && report.waiting.length > 0) return
  const problems = hasProblems(report) ? JSON.stringify([report.waiting, report.failed, report.warnings]) : ''
  const before = memory.reported
  if (problems === before?.problems) return
  const missed = new Set(before?.failed)
  const returned = report.connected.map(({ server }) => server).filter((server) => missed.has(server))
  memory.reported = { problems, failed: report.failed.map(({ server }) => server) }
  if (before === undefined || problems !== '' || returned.length > 0)
    await emit({
      type: 'server_report',
      messageId: createReportId(),
      report: returned.length === 0 ? report : { ...report, returned },
    })
}

async function addUserMessages(
  session: Session,
  content: readonly ContentBlock[],
  match: CommandMatch | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { conversation } = session.record
  const command = match?.command
  if (command?.type !== 'prompt') {
    const { resources } = session.toolbox
    const changes = resources.takeChanges()
    const resolved = await resources.resolve(content, signal)
    const whole = changes === undefined ? resolved : [...resolved, text(changes)]
    conversation.add({ role: 'user', id: createMessageId(), content: whole })
    return
  }
  for (const message of await command.toMessages(session, match?.input ?? '', signal))
    conversation.add(message)
  // Other content of the command, such as a mentioned file, belongs to it.
  if (content.length > 1) conversation.add({ role: 'user', id: createMessageId(), content: content.slice(1) })
}
