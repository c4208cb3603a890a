import { showHidden } from '../../base/strip-hidden.ts'
import type { Lasting } from '../approval.ts'
import type { Answer } from '../../messages/question.ts'
import type { ApprovalQuestion } from '../question.ts'
import { shownCommand } from './command-rules.ts'

export interface AnswerChoice {
  readonly id: string
  readonly name: string
  readonly kind: AnswerKind
  readonly answer: Exclude<Answer, { verdict: 'cancelled' }>
}

export type AnswerKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'

const allowOnce = choice('Allow once', { verdict: 'allow', scope: 'once' })
const rejectOnce = choice('Reject once', { verdict: 'deny', scope: 'once' })

/** The answers to a question, the same in the editor and in the console. */
export function answerChoices({
  ref,
  lasting,
}: Pick<ApprovalQuestion, 'ref' | 'lasting'>): readonly AnswerChoice[] {
  // To the person, a request for the model is not a tool.
  const what = ref.server !== null && ref.tool === 'sampling' ? 'it' : 'this tool'
  const rejectAlways = choice(`Always reject ${what}`, { verdict: 'deny', scope: 'always' })
  if (lasting.type === 'origin') return [allowOnce, ...lastingChoices(lasting), rejectOnce, rejectAlways]
  if (lasting.type !== 'tool') return [allowOnce, ...lastingChoices(lasting), rejectOnce]
  return [
    allowOnce,
    ...sessionAndAlways(what),
    // A local tool has no server.
    ...(ref.server === null
      ? []
      : [choice("Always allow this server's tools", { verdict: 'allow', scope: 'server' })]),
    rejectOnce,
    rejectAlways,
  ]
}

/** Only a choice that was offered can allow the call. */
export function answerOf(question: Pick<ApprovalQuestion, 'ref' | 'lasting'>, choice: unknown): Answer {
  return answerChoices(question).find(({ id }) => id === choice)?.answer ?? { verdict: 'deny', scope: 'once' }
}

function lastingChoices(lasting: Exclude<Lasting, { type: 'tool' }>): readonly AnswerChoice[] {
  switch (lasting.type) {
    case 'command':
      return sessionAndAlways(shownCommand(lasting.command, 'this folder'))
    case 'folder':
      return [
        choice(`Allow this tool in ${showHidden(lasting.folder)} for this session`, {
          verdict: 'allow',
          scope: 'session',
        }),
      ]
    case 'origin':
      return sessionAndAlways(`pages of ${lasting.origin}`)
    case 'host':
      return sessionAndAlways(`connections to ${lasting.host}`).slice(0, lasting.isForServer ? 2 : 1)
    case 'nothing':
      return []
  }
}

function sessionAndAlways(what: string): readonly AnswerChoice[] {
  return [
    choice(`Allow ${what} for this session`, { verdict: 'allow', scope: 'session' }),
    choice(`Always allow ${what}`, { verdict: 'allow', scope: 'always' }),
  ]
}

function choice(name: string, answer: AnswerChoice['answer']): AnswerChoice {
  const verb = answer.verdict === 'allow' ? 'allow' : 'reject'
  const { scope = 'once' } = answer
  return { id: `${verb}-${scope}`, name, kind: `${verb}_${scope === 'once' ? 'once' : 'always'}`, answer }
}
