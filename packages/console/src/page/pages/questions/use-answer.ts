import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerQuestion, StoredQuestion } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { describeQuestion } from '../../text/describe-question.ts'
import { answeredHere } from './use-shown-questions.ts'

/** Answers one question. It disappears from the page when it is closed. `said` is announced only if the answer counts. */
export function useAnswer(question: StoredQuestion) {
  const { id } = question
  const [busy, setBusy] = useState<string | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const isGiven = useRef(false)
  // The page reads its questions again only once it has access.
  useEffect(() => setFailure((shown) => (shown?.code === 'page.signed_out' ? undefined : shown)), [question])
  const answer = async (given: AnswerQuestion, said: string) => {
    // The first press counts, whichever button is pressed next.
    if (isGiven.current) return
    isGiven.current = true
    setBusy(given.choice)
    setFailure(undefined)
    // The page may be told of the end before the reply arrives.
    answeredHere.set(id, said)
    try {
      await request(`/api/questions/${encodeURIComponent(id)}/answer`, { method: 'POST', body: given })
      announce(`${describeQuestion(question)}: ${said}`)
    } catch (error) {
      answeredHere.delete(id)
      isGiven.current = false
      setFailure(toFailure(error))
      setBusy(undefined)
    }
  }
  return { answer, busy, failure }
}
