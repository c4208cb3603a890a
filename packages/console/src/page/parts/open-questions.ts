import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { StoredQuestion } from '../../api.ts'
import { statusWords } from '../text/call-status.ts'
import { type WaitingCall, waitsForYou } from '../text/waits-for-you.ts'

/** The questions of all agents that are open now. */
export const OpenQuestions = createContext<readonly StoredQuestion[]>([])

/** Tells which calls wait for the person now. */
export function useWaiting() {
  const open = useContext(OpenQuestions)
  const isWaiting = (call: WaitingCall) => waitsForYou(call, open)
  return { waitsForYou: isWaiting, describe: (call: WaitingCall) => (isWaiting(call) ? 'Waiting for you' : statusWords[call.status]) }
}
