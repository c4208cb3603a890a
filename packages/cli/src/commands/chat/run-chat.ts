import { OstlerError } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import { missingFiles, missingText, toPrompt } from '../../client/to-prompt.ts'
import type { FlagValues } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { findStateDir } from '../../state/places.ts'
import { saidRows } from '../../terminal/markdown.ts'
import { toSafeLine } from '../../terminal/safe-text.ts'
import { answerQuestions } from '../run/answer-questions.ts'
import { endingText, exitCodes, signalExitCode } from '../run/exit-codes.ts'
import {
  cancelTurn,
  openConversation,
  type Conversation,
  type SessionWish,
} from '../run/open-conversation.ts'
import type { sessionFlags } from '../run/session-flags.ts'
import { completePrompt } from './complete-prompt.ts'
import { addEarlier, noEarlierMessages, promptRows, setsState, toEarlierRows } from './earlier-messages.ts'
import { loadLineHistory, type LineHistory } from './line-history.ts'
import { exitCommand, localCommands, parseOptionCommand, valuesOf } from './local-commands.ts'
import { openScreen, type Screen } from './open-screen.ts'
import { showUpdates, type ShownUpdates } from './show-updates.ts'

const exitMsMax = 4_600

export interface ChatOptions {
  readonly values: FlagValues<typeof sessionFlags>
  readonly wish: SessionWish
  /** The first prompt. Empty if the person types it. */
  readonly first: string
}

export async function runChat(io: Io, { values, wish, first }: ChatOptions): Promise<number> {
  const ended = new AbortController()
  let exitCode = 0
  using _signals = io.onEndSignal((signal) => {
    io.exitWithin(ended.signal.aborted ? 0 : exitMsMax, signalExitCode(signal))
    exitCode = signalExitCode(signal)
    ended.abort()
  })
  let conversation: Conversation | undefined
  using screen = openScreen(io, {
    // There is nothing to wait for before the session is open.
    onCancel: () =>
      conversation === undefined ? io.exitWithin(0, exitCodes.cancelled) : conversation.cancel(),
    complete: (line, isAsked) =>
      completePrompt(line, isAsked, [...shown.commands, ...localCommands(shown.options)], io.cwd),
  })
  ended.signal.addEventListener('abort', () => screen.end(), { once: true })
  const shown = showUpdates(screen)
  let earlier = noEarlierMessages
  const refusesAll = wish.approval === 'none'
  await using opened = await openConversation(io, {
    name: 'ostler-chat',
    values,
    wish,
    canElicit: !refusesAll,
    log: (line) => shown.say(saidRows(line.trimEnd(), 'yellow', screen)),
    onUpdate: (update) => shown.update(update),
    onEarlier(update) {
      if (setsState(update)) shown.update(update)
      else earlier = addEarlier(earlier, update)
    },
    ...answerQuestions(io, {
      person: screen,
      report: { pause: shown.pause, resume: shown.resume, event: () => undefined },
      refusesAll,
    }),
  })
  conversation = opened
  shown.setOptions(opened.opened.configOptions ?? [])
  screen.setStatus({ mode: opened.settings.mode })
  const history = loadLineHistory(findStateDir(io, values))
  screen.setRecalled(history.lines)
  screen.show(toEarlierRows(earlier, { columns: screen.columns(), style: screen.style }))
  screen.show(greeting(screen, opened))
  await converse({ io, screen, shown, conversation, history, ended: ended.signal }, first)
  io.exitWithin(exitMsMax, exitCode)
  return exitCode
}

interface Chat {
  readonly io: Io
  readonly screen: Screen
  readonly shown: ShownUpdates
  readonly conversation: Conversation
  readonly history: LineHistory
  /** Aborts when the chat has to end. */
  readonly ended: AbortSignal
}

function greeting({ style }: Screen, { isContinued, sessionId }: Conversation): readonly string[] {
  const what = isContinued ? `Continuing the session ${sessionId.slice(0, 8)}.` : 'Ostler'
  return [`${style('bold', what)} ${style('dim', '/help lists the commands, Ctrl-D ends the chat.')}`, '']
}

async function converse(chat: Chat, first: string): Promise<void> {
  const { screen, shown, history, conversation, ended } = chat
  let line: string | undefined = first.trim() === '' ? await screen.readPrompt() : first
  while (line !== undefined && line.trim() !== `/${exitCommand.name}` && !ended.aborted) {
    screen.show([...promptRows(line, screen), ''])
    history.add(conversation.redact(line))
    screen.setRecalled(history.lines)
    try {
      await answer(chat, line)
    } catch (error) {
      const message = messageOf(error)
      // The notice of a failed start says the same.
      if (message !== shown.told) screen.show([...saidRows(message, 'red', screen), ''])
    }
    if (ended.aborted) return
    line = await screen.readPrompt()
  }
}

async function answer(chat: Chat, line: string): Promise<void> {
  const { io, screen, shown, conversation, ended } = chat
  const change = parseOptionCommand(line)
  if (change !== undefined) return changeOption(chat, change)
  const place = { cwd: io.cwd, home: io.env['HOME'] }
  const content = toPrompt(line, place)
  const missing = missingFiles(line, place)
  if (missing.length > 0) screen.show([...saidRows(missingText(missing), 'yellow', screen), ''])
  const attached = content
    .slice(1)
    .map((block) => ('uri' in block && typeof block.uri === 'string' ? toSafeLine(block.uri) : block.type))
  if (attached.length > 0) screen.show([...saidRows(`Attached: ${attached.join(', ')}`, 'dim', screen), ''])
  screen.setBusy()
  try {
    const turn = conversation.prompt(content)
    const stopped = new Promise<undefined>((resolve) =>
      ended.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const result = await Promise.race([turn, stopped])
    if (result === undefined) await cancelTurn(conversation, turn)
    const ending = result && endingText(result.stopReason, 'enter "continue".')
    if (ending !== undefined) shown.say([...saidRows(ending, 'dim', screen), ''])
  } finally {
    shown.say([])
  }
}

async function changeOption(
  { screen, shown, conversation }: Chat,
  { optionId, value }: { optionId: string; value: string | undefined },
): Promise<void> {
  const option = shown.options.find(({ id }) => id === optionId)
  if (option === undefined) throw new OstlerError('command.option', 'This model has no such setting.')
  if (value === undefined) {
    const possible = valuesOf(option).map(toSafeLine).join(', ')
    screen.show([
      ...saidRows(
        `${option.name}: ${toSafeLine(String(option.currentValue))} (possible: ${possible})`,
        [],
        screen,
      ),
      '',
    ])
    return
  }
  if (!valuesOf(option).includes(value))
    throw new OstlerError(
      'command.option',
      `There is no ${option.name.toLowerCase()} '${toSafeLine(value)}'. Possible: ${valuesOf(option).join(', ')}.`,
    )
  shown.setOptions(await conversation.setOption(optionId, value))
}
