import type { ContentBlock } from '@ostler/acp-server'
import { OstlerError } from '@ostler/agent-api'
import { isRecord, messageOf } from '@ostler/agent-api/internal'
import { createLinePerson } from '../../client/person.ts'
import type { FlagValues } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { toSafeText } from '../../terminal/safe-text.ts'
import { answerQuestions } from './answer-questions.ts'
import { endingText, exitCodes, signalExitCode, type RunEnd } from './exit-codes.ts'
import { cancelTurn, openConversation, type Conversation, type SessionWish } from './open-conversation.ts'
import { createJsonReport, createTextReport, type Finished } from './report.ts'
import type { sessionFlags } from './session-flags.ts'
import type { RunEvent } from './to-event.ts'

export interface RunOptions {
  readonly values: FlagValues<typeof sessionFlags> & { readonly json?: boolean }
  readonly wish: SessionWish
  readonly timeoutMs: number | undefined
  readonly content: ContentBlock[]
}

/** Longer than in a chat: there is no later prompt that could use a server. */
const connectWaitMs = 10_000

export async function runPrompt(io: Io, { values, wish, timeoutMs, content }: RunOptions): Promise<number> {
  using stop = listenForStop(io, timeoutMs)
  const refusesAll = wish.approval === 'none'
  using terminal = refusesAll ? undefined : io.openTerminal()
  const person = terminal && createLinePerson(terminal, io.env)
  const report = values.json === true ? createJsonReport(io) : createTextReport(io)
  const questions = answerQuestions(io, { person, report, refusesAll })
  try {
    await using conversation = await openConversation(io, {
      name: 'ostler-run',
      values,
      wish: { ...wish, connectWaitMs },
      canElicit: person !== undefined,
      onUpdate: report.update,
      ...questions,
    })
    report.event(toSessionEvent(io, conversation))
    const { end, exitCode, errorId } = await answer(conversation, content, stop)
    const finished = report.finish(errorId)
    const ended = end === 'end_turn' && questions.wasUnanswered() ? toEnded('unanswered') : { end, exitCode }
    const ending = endingText(end, 'run with the same options: ostler run "continue" --continue')
    report.event(toEndEvent(ended, { ...finished, error: finished.error ?? ending }))
    if (ending !== undefined && values.json !== true) io.stderr.write(`ostler: ${ending}\n`)
    return ended.exitCode
  } catch (error) {
    const message = messageOf(error)
    report.event(toEndEvent(toEnded('failed'), { answer: report.finish().answer, error: message }))
    throw error instanceof OstlerError
      ? error
      : new OstlerError('command.failed', toSafeText(message), { cause: error })
  }
}

async function answer(
  conversation: Conversation,
  content: ContentBlock[],
  stop: StopListener,
): Promise<Ended> {
  if (stop.isAsked()) return stop.asked
  const turn = conversation.prompt(content).then(({ stopReason, _meta }): Ended => {
    const error = _meta?.['ostler/error']
    if (!isRecord(error)) return toEnded(stopReason)
    return { ...toEnded('failed'), errorId: String(error['messageId']) }
  })
  turn.catch(() => undefined)
  const ended = await Promise.race([turn, stop.asked])
  if (stop.isAsked()) await cancelTurn(conversation, turn)
  return ended
}

function toSessionEvent({ cwd }: Io, { sessionId, isContinued, settings }: Conversation): RunEvent {
  return { type: 'session', version: 1, sessionId, cwd, ...settings, continued: isContinued }
}

function toEnded(end: RunEnd): Ended {
  return { end, exitCode: exitCodes[end] }
}

function toEndEvent({ end, exitCode }: Ended, { answer: text, error }: Finished): RunEvent {
  return { type: 'end', reason: end, exitCode, answer: text, error }
}

interface Ended {
  readonly end: RunEnd
  readonly exitCode: number
  readonly errorId?: string
}

type StopListener = ReturnType<typeof listenForStop>

const exitMsMax = 4_600

/** Once a stop is requested, the process ends in bounded time. A second signal ends it at once. */
function listenForStop(io: Pick<Io, 'stdout' | 'onEndSignal' | 'exitWithin'>, timeoutMs: number | undefined) {
  const { promise: asked, resolve } = Promise.withResolvers<Ended>()
  let isAsked = false
  const stop = (end: RunEnd, exitCode: number = exitCodes[end]) => {
    io.exitWithin(isAsked ? 0 : exitMsMax, exitCode)
    isAsked = true
    resolve({ end, exitCode })
  }
  const onError = ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' && !isAsked) stop('closed_output')
  }
  io.stdout.on('error', onError)
  const signals = io.onEndSignal((signal) => stop('cancelled', signalExitCode(signal)))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => isAsked || stop('timeout'), timeoutMs)
  return {
    /** Settles when the run should stop early: after a signal, at the timeout, or when the reader has closed the output. */
    asked,
    isAsked: () => isAsked,
    [Symbol.dispose](): void {
      io.stdout.off('error', onError)
      signals[Symbol.dispose]()
      clearTimeout(timer)
    },
  }
}
