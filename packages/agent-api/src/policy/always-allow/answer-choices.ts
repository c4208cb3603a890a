import { showHidden } from '../../base/strip-hidden.ts'
import type { Lasting } from '../approval.ts'
import type { Answer } from '../../messages/question.ts'
import type { ApprovalQuestion } from '../question.ts'
import { shownCommand } from './command-rules.ts'

/** An answer that a question offers. Its name says what it allows. */
export interface AnswerChoice {
  readonly id: string
  readonly name: string
  readonly kind: AnswerKind
  readonly answer: Exclude<Answer, { verdict: 'cancelled' }>
}

export type AnswerKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'

const allowOnce = choice('allow-once', 'Allow once', { verdict: 'allow', scope: 'once' })
const rejectOnce = choice('reject-once', 'Reject once', { verdict: 'deny', scope: 'once' })

/** The answers to a question, the same in the editor and in the console. */
export function answerChoices({
  ref,
  lasting,
}: Pick<ApprovalQuestion, 'ref' | 'lasting'>): readonly AnswerChoice[] {
  // A request for the model is no tool to the person.
  const what = ref.server !== null && ref.tool === 'sampling' ? 'it' : 'this tool'
  const rejectAlways = choice('reject-always', `Always reject ${what}`, { verdict: 'deny', scope: 'always' })
  if (lasting.type === 'origin') return [allowOnce, ...lastingChoices(lasting), rejectOnce, rejectAlways]
  if (lasting.type !== 'tool') return [allowOnce, ...lastingChoices(lasting), rejectOnce]
  const allowServer = choice('allow-server', "Always allow this server's tools", {
    verdict: 'allow',
    scope: 'server',
  })
  return [
    allowOnce,
    allowSession(`Allow ${what} for this session`),
    allowAlways(`Always allow ${what}`),
    // A local tool has no server.
    ...(ref.server === null ? [] : [allowServer]),
    rejectOnce,
    rejectAlways,
  ]
}

/** The answer that was chosen. Only a choice that was offered can allow the call. */
export function answerOf(question: Pick<ApprovalQuestion, 'ref' | 'lasting'>, choice: unknown): Answer {
  return answerChoices(question).find(({ id }) => id === choice)?.answer ?? { verdict: 'deny', scope: 'once' }
}

function lastingChoices(lasting: Exclude<Lasting, { type: 'tool' }>): readonly AnswerChoice[] {
  switch (lasting.type) {
    case 'command': {
      const command = shownCommand(lasting.command, 'this folder')
      return [allowSession(`Allow ${command} for this session`), allowAlways(`Always allow ${command}`)]
    }
    case 'folder':
      return [allowSession(`Allow this tool in ${showHidden(lasting.folder)} for this session`)]
    case 'origin':
      return [
        allowSession(`Allow pages of ${lasting.origin} for this session`),
        allowAlways(`Always allow pages of ${lasting.origin}`),
      ]
    case 'nothing':
      return []
  }
}

function allowSession(name: string): AnswerChoice {
  return choice('allow-session', name, { verdict: 'allow', scope: 'session' })
}

function allowAlways(name: string): AnswerChoice {
  return choice('allow-always', name, { verdict: 'allow', scope: 'always' })
}

function choice(id: string, name: string, answer: AnswerChoice['answer']): AnswerChoice {
  const isOnce = answer.scope === 'once'
  const kind =
    answer.verdict === 'allow'
      ? isOnce
        ? 'allow_once'
        : 'allow_always'
      : isOnce
        ? 'reject_once'
        : 'reject_always'
  return { id, name, kind, answer }
}
