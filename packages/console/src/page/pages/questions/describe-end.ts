import type { CallSummary } from '@ostler/agent-api/manage'
import type { StoredQuestion } from '../../../api.ts'
import { describeDecision } from '../calls/call-words.ts'

/** What became of a question that was not answered on this page. `call` is the call that it was about, if it is known. */
export function describeEnd({ body }: StoredQuestion, call: Pick<CallSummary, 'decision' | 'rule'> | undefined): string {
  if (body.kind !== 'call') return 'Answered in another place, or withdrawn.'
  const decision = call?.decision ?? null
  if (decision === null) return 'The question was withdrawn.'
  const rule = call?.rule ?? null
  const isInEditor = rule !== null && /^person:[^:]+$/.test(rule) && rule !== 'person:cancelled'
  return `${describeDecision(decision, rule)}${isInEditor ? ', in the editor' : ''}.`
}
