import type { CallSummary } from '@ostler/agent-api/manage'
import type { StoredQuestion } from '../../../api.ts'
import { visible } from '../../text/visible.ts'
import { describeDecision } from '../calls/call-words.ts'

/** What a question is about, in a few words. */
export function describeQuestion({ body }: StoredQuestion): string {
  if (body.kind === 'call') return visible(body.title)
  return body.server === null ? 'The agent asks you' : `The server ${visible(body.server)} asks`
}

/** What became of a question that was not answered on this page. `call` is the call that it was about, if it is known. */
export function describeEnd({ body }: StoredQuestion, call: Pick<CallSummary, 'decision' | 'rule'> | undefined): string {
  if (body.kind !== 'call') return 'Answered in another place, or withdrawn.'
  const decision = call?.decision ?? null
  if (decision === null) return 'The question was withdrawn.'
  const rule = call?.rule ?? null
  const isInEditor = rule !== null && /^person:[^:]+$/.test(rule) && rule !== 'person:cancelled'
  return `${describeDecision(decision, rule)}${isInEditor ? ', in the editor' : ''}.`
}
