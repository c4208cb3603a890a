import { defined, isRecord } from '../base/is-record.ts'
import { messageOf } from '../base/errors.ts'
import { createToolCallId, type SessionId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import { orAborted } from '../base/or-aborted.ts'
import { redactedMark } from '../base/clean-text.ts'
import type { Answer, FormQuestion, PageQuestion } from '../messages/question.ts'
import type { CallOutcome } from '../messages/message.ts'
import { errorResult } from '../messages/tool.ts'
import { answerChoices, answerOf } from '../policy/always-allow/answer-choices.ts'
import {
  askPerson,
  isApproval,
  ruleOf,
  type ApprovalQuestion,
  type Ask,
  type LoginQuestion,
  type Person,
  type Question,
} from '../policy/question.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import { recorded } from '../state/calls/recorded.ts'
import type { CallBody, QuestionBody, Questions, StoredAnswer } from '../state/questions/questions.ts'

interface AskOptions {
  readonly questions: Questions
  readonly agent: string
  readonly sessionId: SessionId
  readonly calls: () => CallRecorder
  readonly logger: Logger
}

/**
 * Asks in the editor and in the console at once. The questions of servers are recorded; other questions
 * belong to a recorded call.
 */
export function createAsk(here: Person, options: AskOptions): Ask {
  return async (question, signal) => {
    const ask = () =>
      askPerson(
        { asks: here.asks, ask: (asked, stop) => askBoth(here, options, asked, stop) },
        question,
        signal,
        options.logger,
      )
    if (isApproval(question)) {
      const answer = await ask()
      // An editor that is gone does not change the answer.
      if (question.isApart === true && !signal.aborted)
        await here.end?.(question, answer).catch(() => undefined)
      return answer
    }
    return question.server === null ? ask() : recordedAnswer(options.calls(), question, question.server, ask)
  }
}

/** The first answer wins, and the other question closes. */
async function askBoth(
  person: Person,
  { questions, agent, sessionId, logger }: AskOptions,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const body = toBody(question)
  const open = await questions.open({ agent, sessionId, body }).catch((error: unknown) => {
    logger.debug('a question could not be opened', { error: messageOf(error) })
    return undefined
  })
  if (open === undefined) return person.ask(question, signal)
  const settled = new AbortController()
  /** Ends the editor's question, unless it was answered there: a login continues after that. */
  const here = new AbortController()
  let isInConsole = false
  const read = (stored: StoredAnswer | undefined) => stored && fromStored(stored, question, body)
  try {
    const inConsole = open.answered(AbortSignal.any([signal, settled.signal])).then((stored) => {
      isInConsole = stored !== undefined
      return read(stored)
    })
    const asked = person.ask(question, AbortSignal.any([signal, here.signal]))
    // A question that the editor does not end must not stay open in the console.
    const first = orAborted<Answer, Answer>(asked, signal, { verdict: 'cancelled' }).then(
      // The console may have answered a moment before the editor did.
      async (answer) => read(await open.close().catch(() => undefined)) ?? answer,
    )
    return await Promise.race([first, inConsole.then((answer) => answer ?? first)])
  } finally {
    settled.abort()
    if (isInConsole) here.abort()
    await open
      .close()
      .catch((error: unknown) => logger.debug('a question could not be closed', { error: messageOf(error) }))
  }
}

function fromStored(
  { choice, arguments: values }: StoredAnswer,
  question: Question,
  body: QuestionBody,
): Answer {
  const from = 'console'
  if (!isApproval(question))
    return choice === 'accept'
      ? { verdict: 'allow', values, from }
      : { verdict: choice === 'decline' ? 'deny' : 'cancelled', from }
  const answer = answerOf(question, choice)
  if (values === undefined || answer.verdict !== 'allow') return { ...answer, from }
  return body.kind === 'call' && body.isEditable
    ? { verdict: 'allow', values, from }
    : { verdict: 'deny', from }
}

function toBody(question: Question): QuestionBody {
  switch (question.kind) {
    case 'form': {
      const { callId: _, ...form } = question
      return form
    }
    case 'page': {
      const { elicitationId: _, ...page } = question
      return page
    }
    case 'login':
      return { ...pageOf(question), login: question.login }
    default:
      return toCallBody(question)
  }
}

function pageOf({ server, url, scope }: LoginQuestion) {
  const message =
    scope === undefined
      ? 'Log in, so that its tools can be used.'
      : `A call needs more permissions. Log in to grant: ${scope}`
  return { kind: 'page', server, message, url } as const
}

/**
 * The database stores nothing that has not been allowed. So diffs of files of secrets, and of files outside the session's directories, are
 * shown in the editor only.
 */
function toCallBody(question: ApprovalQuestion): CallBody {
  const {
    inputSchema,
    call,
    ref,
    args,
    serverOrigin,
    serverFence,
    claims,
    plan,
    warning,
    changes,
    difference,
  } = question
  const isSensitive = (plan?.sensitive?.length ?? 0) > 0 || (plan?.outside?.length ?? 0) > 0
  return {
    kind: 'call',
    callId: call.id,
    title: call.title,
    ref,
    args,
    content: isSensitive ? [] : (call.content ?? []).filter(({ type }) => type === 'diff'),
    // A redaction mark would take the place of the secret.
    isEditable: inputSchema !== undefined && !JSON.stringify(args).includes(redactedMark),
    choices: answerChoices(question).map(({ id, name, kind }) => ({ id, name, kind })),
    ...defined({ serverOrigin, serverFence, claims, plan, warning, changes, difference, inputSchema }),
  }
}

/**
 * Records that a server asked, and how and where it was answered. Typed values are not recorded; of a page,
 * only the host is. A question that ends with its turn is recorded as cancelled.
 */
async function recordedAnswer(
  calls: CallRecorder,
  question: FormQuestion | PageQuestion | LoginQuestion,
  server: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const start = { id: createToolCallId(), server, tool: 'elicitation', arguments: toRecorded(question) }
  const { answer } = await recorded(calls, start, async (row) => {
    const given = await ask()
    row.decided(given.verdict, ruleOf(question, given))
    return { answer: given, ...outcomes[given.verdict] }
  })
  return answer
}

function toRecorded(
  question: FormQuestion | PageQuestion | LoginQuestion,
): Readonly<Record<string, unknown>> {
  if (question.kind === 'form') {
    const { properties } = question.schema
    return {
      mode: 'form',
      message: question.message,
      fields: isRecord(properties) ? Object.keys(properties) : [],
    }
  }
  const { message, url } = question.kind === 'login' ? pageOf(question) : question
  return { mode: 'url', message, host: URL.parse(url)?.host ?? '' }
}

const outcomes: Readonly<Record<Answer['verdict'], CallOutcome>> = {
  allow: { outcome: 'success', result: { isError: false, content: [] } },
  deny: { outcome: 'denied', result: errorResult('The person declined to answer.') },
  cancelled: { outcome: 'cancelled', result: errorResult('The question was closed without an answer.') },
}
