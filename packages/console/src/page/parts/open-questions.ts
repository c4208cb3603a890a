import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CallSummary, StoredQuestion } from '../../api.ts'
import { isQuestion, statusWords } from '../text/call-status.ts'

export const OpenQuestions = createContext<readonly StoredQuestion[]>([])

export function useWaiting() {
  const open = useContext(OpenQuestions)
  const isWaiting = (call: WaitingCall) => waitsForYou(call, open)
  return {
    waitsForYou: isWaiting,
    describe: (call: WaitingCall) => (isWaiting(call) ? 'Waiting for you' : statusWords[call.status]),
  }
}

export type WaitingCall = Pick<CallSummary, 'id' | 'sessionId' | 'server' | 'tool' | 'status' | 'decision'>

/** Calls wait for a person, for their server or for a free slot. Only an open question shows that a call waits for the person. */
export function waitsForYou(
  call: WaitingCall,
  open: readonly Pick<StoredQuestion, 'sessionId' | 'body'>[],
): boolean {
  const { id, sessionId, server, tool, status, decision } = call
  if (status === 'pending')
    return (
      decision === null &&
      (isQuestion(call) || open.some(({ body }) => body.kind === 'call' && body.callId === id))
    )
  // The tool that asks you runs at the same time.
  const isAsking = status === 'running' && server === null && tool === 'ask_person'
  return (
    isAsking &&
    open.some(
      (question) =>
        question.sessionId === sessionId && question.body.kind === 'form' && question.body.server === null,
    )
  )
}
