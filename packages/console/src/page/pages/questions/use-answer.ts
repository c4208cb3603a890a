import { useState } from 'preact/hooks'
import type { AnswerQuestion } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'

/** Answers one question. It disappears from the page when it is closed. */
export function useAnswer(id: string) {
  const [busy, setBusy] = useState<string | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const answer = async (given: AnswerQuestion, said: string) => {
    setBusy(given.choice)
    setFailure(undefined)
    try {
      await request(`/api/questions/${encodeURIComponent(id)}/answer`, { method: 'POST', body: given })
      announce(said)
    } catch (error) {
      setFailure(toFailure(error))
      setBusy(undefined)
    }
  }
  return { answer, busy, failure }
}
