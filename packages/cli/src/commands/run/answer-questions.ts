import type { LocalClientHandlers } from '@ostler/acp-server'
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
  const queue = createQueue()
  const inTurn = <T>(ask: () => Promise<T>) =>
    queue(async () => {
      report.pause()
      try {
        return await ask()
      } finally {
        report.resume()
      }
    })
  let wasUnanswered = false
  return {
    wasUnanswered: () => wasUnanswered,
    onPermission: (request, signal) =>
      inTurn(async () => {
        const isAsked = person !== undefined && !refusesAll
        const answeredBy = isAsked ? 'person' : refusesAll ? 'flag' : 'nobody'
        const response = isAsked
          ? await askPermission(person, request, signal)
          : { ...refuse(request), _meta: { 'ostler/answeredBy': answeredBy } }
        const { toolCall, options } = request
        const title = toSafeLine(toolCall.title ?? toolCall.toolCallId)
        if (answeredBy === 'nobody') {
          wasUnanswered = true
          const advice =
            toolCall.name === 'start' && isRecord(toolCall.rawInput) && 'folder' in toolCall.rawInput
              ? 'Put the server into an agent file'
              : toolCall.name === 'undo'
                ? 'Run it in a terminal'
                : 'Use --approve to decide beforehand'
          io.stderr.write(`ostler: rejected, because there is no terminal to ask on: ${title}. ${advice}.\n`)
        }
        const { outcome } = response
        const chosen =
          outcome.outcome === 'selected'
            ? options.find(({ optionId }) => optionId === outcome.optionId)
            : undefined
        const answer = chosen?.kind ?? 'cancelled'
        report.event({
          type: 'question',
          id: toolCall.toolCallId,
          title,
          answer,
          answeredBy,
        })
        return response
      }),
    onElicitation: (request, signal) =>
      inTurn(async () => {
        if (person === undefined || refusesAll) return { action: 'cancel' }
        return askForm(person, request, (url) => openBrowser(url, io.env), signal)
      }),
  }
}

function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
