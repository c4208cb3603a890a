import type { CallSummary, StoredQuestion } from '../../../api.ts'
import { describeDecision, parseRule } from '@ostler/agent-api/browser'

export interface ShownQuestion {
  readonly question: StoredQuestion
  /** How it ended. It stays in its place for a moment after it was closed. */
  readonly end?: string
}

/** The questions to show after the open ones have changed. Each keeps its place: what is new comes last. */
export function mergeShown(
  before: readonly ShownQuestion[],
  open: readonly StoredQuestion[],
  endOf: (question: StoredQuestion) => string,
): readonly ShownQuestion[] {
  const byId = new Map(open.map((question) => [question.id, question]))
  const known = new Set(before.map(({ question }) => question.id))
  return [
    ...before.map((shown) => {
      const question = byId.get(shown.question.id)
      return question === undefined ? { end: endOf(shown.question), ...shown } : { question }
    }),
    ...open.filter(({ id }) => !known.has(id)).map((question) => ({ question })),
  ]
}

/** How a question ended that was not answered on this page. `call` is the call that it was about, if it is known. */
export function describeEnd(
  { body }: StoredQuestion,
  call: Pick<CallSummary, 'decision' | 'rule'> | undefined,
): string {
  if (body.kind !== 'call') return 'Answered in another place, or withdrawn.'
  const decision = call?.decision ?? null
  if (decision === null) return 'The question was withdrawn.'
  const text = call?.rule ?? null
  const rule = text === null ? undefined : parseRule(text)
  const isInEditor = rule?.by === 'person' && rule.place === undefined && rule.how !== 'cancelled'
  return `${describeDecision(decision, text)}${isInEditor ? ', in the editor' : ''}.`
}
