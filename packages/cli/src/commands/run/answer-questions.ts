import type { LocalClientHandlers, RequestPermissionRequest } from '@ostler/acp-server'
import { isRecord } from '@ostler/agent-api/internal'
import { askForm } from '../../client/ask-form.ts'
import { askPermission, refuse } from '../../client/ask-permission.ts'
import type { Person } from '../../client/person.ts'
import type { Io } from '../../terminal/io.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { toSafeLine } from '../../terminal/safe-text.ts'
import type { Report } from './report.ts'

export interface QuestionsOptions {
  readonly person: Person | undefined
  readonly report: Pick<Report, 'pause' | 'resume' | 'event'>
  readonly refusesAll: boolean
}

export interface Questions extends Pick<LocalClientHandlers, 'onPermission' | 'onElicitation'> {
  /** True if a call was rejected because nobody could be asked. */
  wasUnanswered(): boolean
}

/** Asks the person the questions of a session, one at a time, or rejects the calls. */
export function answerQuestions(
  io: Pick<Io, 'stderr' | 'env'>,
  { person, report, refusesAll }: QuestionsOptions,
): Questions {
  const asked = refusesAll ? undefined : person
  const answeredBy = asked !== undefined ? 'person' : refusesAll ? 'flag' : 'nobody'
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const answer = last.then(async () => {
      report.pause()
      try {
        return await ask()
      } finally {
        report.resume()
      }
    })
    last = answer.catch(() => undefined)
    return answer
  }
  let wasUnanswered = false
  return {
    wasUnanswered: () => wasUnanswered,
    onPermission: (request, signal) =>
      inTurn(async () => {
        const response =
          asked === undefined
            ? { ...refuse(request), _meta: { 'ostler/answeredBy': answeredBy } }
            : await askPermission(asked, request, signal)
        const { toolCall, options } = request
        const title = toSafeLine(toolCall.title ?? toolCall.toolCallId)
        if (answeredBy === 'nobody') {
          wasUnanswered = true
          const advice = adviceFor(toolCall)
          io.stderr.write(`ostler: rejected, because there is no terminal to ask on: ${title}. ${advice}.\n`)
        }
        const { outcome } = response
        const optionId = outcome.outcome === 'selected' ? outcome.optionId : undefined
        const answer = options.find((option) => option.optionId === optionId)?.kind ?? 'cancelled'
        report.event({ type: 'question', id: toolCall.toolCallId, title, answer, answeredBy })
        return response
      }),
    onElicitation: (request, signal) =>
      inTurn(async () =>
        asked === undefined
          ? { action: 'cancel' }
          : askForm(asked, request, (url) => openBrowser(url, io.env), signal),
      ),
  }
}

function adviceFor({ name, rawInput }: RequestPermissionRequest['toolCall']): string {
  if (name === 'start' && isRecord(rawInput) && 'folder' in rawInput)
    return 'Put the server into an agent file'
  const needsPerson = name === 'undo' || name === 'definitions' || name === 'connect'
  return needsPerson ? 'Run it in a terminal' : 'Use --approve to decide beforehand'
}
