import type { CallSummary } from '@ostler/agent-api/manage'
import type { StoredQuestion } from '../../../api.ts'
import { visible } from '../../text/visible.ts'
import { describeDecision } from '../calls/call-words.ts'

/** Describes the end of a question that was not answered on this page. `call` is the call that it was about, if it is known. */
export function describeEnd({ body }: StoredQuestion, call: Pick<CallSummary, 'decision' | 'rule'> | undefined): string {
  if (body.kind !== 'call') {
    const asker = body.server === null ? 'the agent' : visible(body.server)
    return `The question from ${asker} was answered elsewhere or withdrawn.`
  }
  const decision = call?.decision ?? null
  if (decision === null) return `${body.title}: the question was withdrawn.`
  const rule = call?.rule ?? null
  const isInEditor = rule !== null && /^person:[^:]+$/.test(rule) && rule !== 'person:cancelled'
  return `${body.title}: ${describeDecision(decision, rule)}${isInEditor ? ', in the editor' : ''}.`
}
