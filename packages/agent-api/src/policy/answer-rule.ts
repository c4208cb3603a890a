import type { FormAnswer } from '../messages/tool.ts'

/** An answer, and where it was given: in the editor, unless it says otherwise. */
export interface PlacedAnswer {
  readonly answer: FormAnswer
  readonly from?: 'console'
}

/** The rule of a call that was denied because nobody could be asked. */
export const unaskedRule = 'no-approver'

const words = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const
const decisions = { accept: 'allow', decline: 'deny', cancel: 'cancelled' } as const

/** The decision and rule that the history keeps for an answer to a form or a page: `answer:accepted`, `answer:declined:console`. */
export function answerRule({ answer: { action }, from }: PlacedAnswer): { readonly decision: string; readonly rule: string } {
  return { decision: decisions[action], rule: `answer:${words[action]}${from === undefined ? '' : `:${from}`}` }
}
