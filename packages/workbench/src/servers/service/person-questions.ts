import { OstlerError, type Answer } from '@ostler/agent-api'
import {
  onAbort,
  type ServerQuestion,
  type McpHost,
  type McpSamplingAnswer,
  findProblems,
} from '@ostler/agent-api/internal'
import type { PersonAnswer, PersonQuestion } from '../server-service.ts'

interface Open {
  readonly question: PersonQuestion
  readonly settle: (answer: PersonAnswer | undefined) => void
}

/**
 * The questions of a server to the person who tries it. A question is asked only while someone watches the server, and waits for an
 * answer. When the last watcher leaves, it is cancelled.
 */
export function createPersonQuestions() {
  const open = new Map<string, Open>()
  const watchers = new Set<() => void>()
  let waitedMs = 0
  const tell = () => watchers.forEach((watcher) => watcher())

  async function ask(asked: PersonQuestion['asked'], signal: AbortSignal): Promise<PersonAnswer | undefined> {
    if (watchers.size === 0 || signal.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<PersonAnswer | undefined>()
    const id = crypto.randomUUID()
    const sinceMs = performance.now()
    using _aborting = onAbort(signal, () => resolve(undefined))
    open.set(id, { question: { id, askedAt: new Date().toISOString(), asked }, settle: resolve })
    tell()
    try {
      return await promise
    } finally {
      waitedMs += performance.now() - sinceMs
      open.delete(id)
      tell()
    }
  }

  return {
    host: {
      elicit: async (question, signal) => toAnswer(question, await ask(question, signal)),
      sample: async (request, signal) =>
        toSamplingAnswer(await ask({ kind: 'sampling', ...request }, signal)),
    } satisfies Pick<McpHost, 'elicit' | 'sample'>,
    /** Returns a function that ends it. */
    watch(onChange: () => void): () => void {
      const watcher = () => onChange()
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
        if (watchers.size === 0) for (const { settle } of open.values()) settle(undefined)
      }
    },
    /** The server's total wait for the person's answers. */
    askedMs: (): number => waitedMs,
    list: (): readonly PersonQuestion[] => [...open.values()].map(({ question }) => question),
    /** Throws `servers.question_closed`, and `servers.answer_invalid` for content that does not match the form. */
    answer(id: string, answer: PersonAnswer): void {
      const asked = open.get(id)
      if (asked === undefined)
        throw new OstlerError(
          'servers.question_closed',
          'This question is closed: the server no longer waits for it.',
        )
      checkAnswer(asked.question, answer)
      open.delete(id)
      asked.settle(answer)
    },
  }
}

function checkAnswer({ asked }: PersonQuestion, answer: PersonAnswer): void {
  if (answer.action === 'decline' || answer.action === 'cancel') return
  const isFitting = asked.kind === 'sampling' ? answer.action === 'say' : answer.action === 'accept'
  if (!isFitting) throw new OstlerError('servers.answer_invalid', 'This is not an answer to this question.')
  if (asked.kind !== 'form' || answer.action !== 'accept') return
  const problems = findProblems(asked.schema, answer.content ?? {})
  if (problems.length > 0)
    throw new OstlerError(
      'servers.answer_invalid',
      `The answer does not match the form: ${problems.join('; ')}.`,
    )
}

function toAnswer({ kind }: ServerQuestion, answer: PersonAnswer | undefined): Answer {
  if (answer?.action === 'decline') return { verdict: 'deny' }
  if (answer?.action !== 'accept') return { verdict: 'cancelled' }
  return { verdict: 'allow', values: kind === 'form' ? (answer.content ?? {}) : undefined }
}

/** A refusal becomes an error of the request, because there is no other way to answer. */
function toSamplingAnswer(answer: PersonAnswer | undefined): McpSamplingAnswer {
  if (answer?.action !== 'say') throw new OstlerError('servers.not_answered', 'the person did not answer')
  return { model: answer.model, text: answer.text, stopReason: 'endTurn' }
}
