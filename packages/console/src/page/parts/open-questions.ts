import type { CallSummary } from '@ostler/agent-api/manage'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { StoredQuestion } from '../../api.ts'
import { statusWords } from '../text/call-status.ts'
import { isQuestion } from '../text/is-question.ts'

/** The questions of all agents that are open now. */
export const OpenQuestions = createContext<readonly StoredQuestion[]>([])

type Call = Pick<CallSummary, 'id' | 'server' | 'tool' | 'status' | 'decision'>

/** Calls wait for a person, for their server or for a free slot. Only an open question says that it is the person. */
export function useWaiting() {
  const open = useContext(OpenQuestions)
  const waitsForYou = (call: Call) =>
    call.status === 'pending' &&
    call.decision === null &&
    (isQuestion(call) || open.some(({ body }) => body.kind === 'call' && body.callId === call.id))
  return { waitsForYou, describe: (call: Call) => (waitsForYou(call) ? 'Waiting for you' : statusWords[call.status]) }
}
