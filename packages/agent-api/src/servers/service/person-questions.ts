import { OstlerError } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { createListeners } from '../../base/listeners.ts'
import { onAbort } from '../../base/on-abort.ts'
import type { McpElicitation, McpElicitationAnswer, McpHost, McpSamplingAnswer } from '../../mcp/mcp-client.ts'
import { findProblems } from '../../tools/find-problems.ts'
import type { PersonAnswer, PersonQuestion, ServerId } from '../server-service.ts'

/**
 * The questions of servers to the person who tries them. A question is asked only while someone watches its server, and waits for an
 * answer. When the last watcher leaves, it is cancelled.
 */
export interface PersonQuestions {
  hostOf(id: ServerId): Pick<McpHost, 'elicit' | 'sample'>
  /** Returns a function that ends it. */
  watch(id: ServerId, onChange: () => void): () => void
  /** How long the server has waited for answers so far. */
  askedMs(id: ServerId): number
  list(id: ServerId): readonly PersonQuestion[]
  /** Throws `servers.question_closed`, and `servers.answer_invalid` for content that does not match the form. */
  answer(id: ServerId, question: string, answer: PersonAnswer): void
}

interface Open {
  readonly server: ServerId
  readonly question: PersonQuestion
  /** Undefined means that there is no answer. */
  readonly settle: (answer: PersonAnswer | undefined) => void
}

export function createPersonQuestions(logger: Logger): PersonQuestions {
  const open = new Map<string, Open>()
  const listeners = createListeners<[ServerId]>('the questions of servers', logger)
  const waited = new Map<ServerId, number>()
  const watchers = new Map<ServerId, number>()

  async function ask(server: ServerId, asked: PersonQuestion['asked'], signal: AbortSignal): Promise<PersonAnswer | undefined> {
    if (!watchers.has(server) || signal.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<PersonAnswer | undefined>()
    const id = crypto.randomUUID()
    const sinceMs = performance.now()
    using _aborting = onAbort(signal, () => resolve(undefined))
    open.set(id, { server, question: { id, askedAt: new Date().toISOString(), asked }, settle: resolve })
    listeners.tell(server)
    try {
      return await promise
    } finally {
      waited.set(server, (waited.get(server) ?? 0) + performance.now() - sinceMs)
      open.delete(id)
      listeners.tell(server)
    }
  }

  return {
    hostOf: (id) => ({
      elicit: async (request, signal) => toElicitationAnswer(request, await ask(id, { type: 'elicitation', ...request }, signal)),
      sample: async (request, signal) => toSamplingAnswer(await ask(id, { type: 'sampling', ...request }, signal)),
    }),
    watch(id, onChange) {
      watchers.set(id, (watchers.get(id) ?? 0) + 1)
      const forget = listeners.add((server) => server === id && onChange())
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        forget()
        const left = (watchers.get(id) ?? 1) - 1
        if (left > 0) return void watchers.set(id, left)
        watchers.delete(id)
        for (const { server, settle } of open.values()) if (server === id) settle(undefined)
      }
    },
    askedMs: (id) => waited.get(id) ?? 0,
    list: (id) => [...open.values()].flatMap(({ server, question }) => (server === id ? [question] : [])),
    answer(id, question, answer) {
      const asked = open.get(question)
      if (asked?.server !== id)
        throw new OstlerError('servers.question_closed', 'This question is closed: the server no longer waits for it.')
      checkAnswer(asked.question, answer)
      open.delete(question)
      asked.settle(answer)
    },
  }
}

function checkAnswer({ asked }: PersonQuestion, answer: PersonAnswer): void {
  if (answer.action === 'decline' || answer.action === 'cancel') return
  const isFitting = asked.type === 'sampling' ? answer.action === 'say' : answer.action === 'accept'
  if (!isFitting) throw new OstlerError('servers.answer_invalid', 'This is not an answer to this question.')
  if (asked.type !== 'elicitation' || asked.mode !== 'form' || answer.action !== 'accept') return
  const problems = findProblems(asked.schema, answer.content ?? {})
  if (problems.length > 0) throw new OstlerError('servers.answer_invalid', `The answer does not match the form: ${problems.join('; ')}.`)
}

function toElicitationAnswer(request: McpElicitation, answer: PersonAnswer | undefined): McpElicitationAnswer {
  if (answer?.action === 'decline') return { action: 'decline' }
  if (answer?.action !== 'accept') return { action: 'cancel' }
  return request.mode === 'form' ? { action: 'accept', content: answer.content ?? {} } : { action: 'accept' }
}

/** A refusal becomes an error of the request, because there is no other way to answer. */
function toSamplingAnswer(answer: PersonAnswer | undefined): McpSamplingAnswer {
  if (answer?.action !== 'say') throw new OstlerError('servers.not_answered', 'the person did not answer')
  return { model: answer.model, text: answer.text, stopReason: 'endTurn' }
}
