import type { StoredQuestion } from '../../../api.ts'

export interface ShownQuestion {
  readonly question: StoredQuestion
  /** What became of it. It stays in its place for a moment after it was closed. */
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
