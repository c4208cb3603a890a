import { OstlerError } from '../base/errors.ts'
import { createMessageId } from '../base/ids.ts'
import { orAborted } from '../base/or-aborted.ts'
import { promptText, text, type ContentBlock } from '../messages/content.ts'
import type { Message } from '../messages/message.ts'
import type { TurnEvent } from '../messages/turn-event.ts'
import type { Turn } from '../turn/turn.ts'
import { buildTurn } from './build-turn.ts'
import { isImmediateCommand, matchCommand, type CommandMatch } from './commands.ts'
import type { AnswerCommand } from './commands/command.ts'
import { describeRunning } from './commands/stop.ts'
import { preloadTurn } from './preload-turn.ts'
import type { Session } from './session.ts'
import { nameSession } from './session-title.ts'
import { enabledClients } from './toolbox.ts'
import { closeLastTurn, withdrawRefused } from './unanswered-prompt.ts'
import { tellReport, waitForServers } from './wait-for-servers.ts'
import { runTitled } from './write-title.ts'

interface PromptPorts {
  readonly emit: Turn['emit']
  /** Called before the turn runs, for servers that sample the model during the turn. */
  readonly onTurn: (turn: Turn) => void
}

type TurnEnd = Pick<Extract<TurnEvent, { type: 'turn_end' }>, 'stopReason' | 'error'>

const cancelled: TurnEnd = { stopReason: 'cancelled' }
const noUsage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }

/** Answers a prompt up to its `turn_end`. A model error ends the turn with the error as text. Only a missing or rejected key throws. */
export async function answerPrompt(
  session: Session,
  content: readonly ContentBlock[],
  { emit, onTurn }: PromptPorts,
  signal: AbortSignal,
): Promise<void> {
  let turn: Turn | undefined
  const begin = (begun: Turn) => {
    turn = begun
    onTurn(begun)
  }
  const end = await respond(session, content, { emit, onTurn: begin }, signal).catch((error: unknown) =>
    endAfter(error, session, emit, signal),
  )
  await tellRunningCommands(session, emit)
  await emit({ type: 'turn_end', usage: turn?.usage.total() ?? noUsage, ...end })
}

async function respond(
  session: Session,
  content: readonly ContentBlock[],
  { emit, onTurn }: PromptPorts,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { project, toolbox, record } = session
  const { conversation } = record
  toolbox.off.refresh()
  await orAborted(project.loadSkills(), signal, undefined)
  const isImmediate = isImmediateCommand(content)
  // The report counts them.
  if (!isImmediate) await toolbox.builtin.load()
  await waitForServers(session, promptText(content), isImmediate, emit, signal)

  // The servers that have connected bring commands.
  const match = matchCommand(content, session)
  if (match?.command.type === 'answer')
    return answerCommand(session, match.command, match.input, emit, signal)

  nameSession(record, content)
  const isFirst = conversation.messages.length === 0
  closeLastTurn(conversation)
  for (const message of await toMessages(session, content, match, signal)) conversation.add(message)
  if (signal.aborted) return cancelled

  const [model, { runTurn }, { createTurnTools }] = await preloadTurn(session)
  const { brief } = await import('./brief.ts')
  const { noteSizes } = await import('./tool-sizes.ts')
  const briefed = brief(project, record, enabledClients(toolbox), model.contextSize)
  const notes = await orAborted(briefed, signal, [])
  if (signal.aborted) return cancelled
  for (const note of notes) conversation.add(note)

  const tools = createTurnTools(toolbox, model, promptText(content), record)
  const tellChanges = async () => {
    // Again, because a server may change while the report goes out.
    while (await session.person.definitions.tell(enabledClients(toolbox).values()))
      await tellReport(record.memory, session.report(), false, emit)
  }
  const next = async () => {
    await tellChanges()
    const toolSet = await tools.next()
    if (await noteSizes(session, model, toolSet))
      await tellReport(record.memory, session.report(), false, emit)
    return toolSet
  }
  const nextFor: Turn['tools']['nextFor'] = (task) => {
    const nextOfTask = tools.nextFor(task)
    return async () => {
      await tellChanges()
      return nextOfTask()
    }
  }
  const turn = buildTurn(session, model, { next, nextFor }, emit)
  onTurn(turn)
  const run = () => runTurn(turn, signal)
  return { stopReason: await (isFirst ? runTitled(session, content, turn, signal, run) : run()) }
}

async function answerCommand(
  session: Session,
  command: AnswerCommand,
  input: string,
  emit: Turn['emit'],
  signal: AbortSignal,
): Promise<TurnEnd> {
  if (signal.aborted) return cancelled
  const answer = await command.answer(session, input, signal, emit)
  if (signal.aborted) return cancelled
  await emit({ type: 'text', messageId: createMessageId(), text: answer })
  return { stopReason: 'end_turn' }
}

/**
 * The prompt as the model reads it. If it is cancelled first, it stays as typed, because the person still
 * sees it.
 */
async function toMessages(
  { toolbox: { resources } }: Pick<Session, 'toolbox'>,
  content: readonly ContentBlock[],
  match: CommandMatch | undefined,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  const toMessage = (blocks: typeof content): Message => ({
    role: 'user',
    id: createMessageId(),
    content: blocks,
  })
  if (signal.aborted) return [toMessage(content)]
  try {
    if (match?.command.type !== 'prompt') {
      const changes = resources.takeChanges()
      const resolved = await resources.resolve(content, signal)
      return [toMessage(changes === undefined ? resolved : [...resolved, text(changes)])]
    }
    const messages = await match.command.toMessages(match.input, signal)
    // Other content of the command, such as a mentioned file, belongs to it.
    return content.length > 1 ? [...messages, toMessage(content.slice(1))] : messages
  } catch (error) {
    if (signal.aborted) return [toMessage(content)]
    throw error
  }
}

/** Shows an error of the model as its answer. Throws what only the person can mend. */
async function endAfter(
  error: unknown,
  { record, logger }: Session,
  emit: Turn['emit'],
  signal: AbortSignal,
): Promise<TurnEnd> {
  if (isStartFailure(error)) throw error
  if (signal.aborted) return cancelled
  if (!(error instanceof OstlerError) || needsPerson(error)) throw error
  const { code, message } = error
  withdrawRefused(record.conversation, error)
  logger.info('a turn ended with an error', { code, message })
  const messageId = createMessageId()
  await emit({ type: 'text', messageId, text: message })
  return { stopReason: 'end_turn', error: { code, messageId } }
}

/** Tells the person which commands still run. The model already knows. Some editors join messages, so a blank line separates them. */
async function tellRunningCommands({ toolbox, record }: Session, emit: Turn['emit']): Promise<void> {
  const running = toolbox.builtin.runningCommands()
  if (running.length === 0) return
  const hint = running.length === 1 ? '`/stop` stops it.' : '`/stop` stops all of them, `/stop ID` stops one.'
  const shown = describeRunning(running, record.membranes.strike)
  const message = `\n\nStill running until the session ends: ${shown}. ${hint}`
  await emit({ type: 'text', messageId: createMessageId(), text: message })
}

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
