import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { StoredAnswer, StoredCall, StoredQuestion } from '../../../api.ts'
import { type ApiFailure, request, toFailure, callApi } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { describeQuestion } from '../../text/describe-question.ts'
import { describeEnd, mergeShown, type ShownQuestion } from './merge-shown.ts'

/** The ends of the questions that were answered on this page. */
const answeredHere = new Map<string, string>()

/** The agent writes its decision a moment after the question is closed. */
const decidedAfterMs = 400
/** A closed question stays this long, so that nothing else takes its place under the pointer at once. */
const shownMs = 1_500

/** The open questions, and those that were closed a moment ago. Announces the end of those that were not answered on this page. */
export function useShownQuestions(open: readonly StoredQuestion[]): readonly ShownQuestion[] {
  const [shown, setShown] = useState<readonly ShownQuestion[]>([])
  const latest = useRef(shown)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  const show = (next: readonly ShownQuestion[]) => setShown((latest.current = next))
  useLayoutEffect(() => {
    const before = new Map(latest.current.map(({ question: { id }, end }) => [id, end]))
    const merged = mergeShown(latest.current, open, ({ id }) => answeredHere.get(id) ?? 'No longer open.')
    show(merged)
    for (const { question, end } of merged) {
      if (end === undefined || before.get(question.id) !== undefined) continue
      const { id } = question
      const leaveSoon = () => {
        const timer = setTimeout(() => {
          timers.current.delete(timer)
          show(latest.current.filter((one) => one.question.id !== id || one.end === undefined))
        }, shownMs)
        timers.current.add(timer)
      }
      if (answeredHere.delete(id)) leaveSoon()
      else {
        void findEnd(question).then((text) => {
          announce(`${describeQuestion(question)}: ${text}`)
          show(latest.current.map((one) => (one.question.id === id ? { question, end: text } : one)))
          leaveSoon()
        })
      }
    }
  }, [open])
  useEffect(() => () => timers.current.forEach(clearTimeout), [])
  return shown
}

async function findEnd(question: StoredQuestion): Promise<string> {
  const { body } = question
  if (body.kind !== 'call') return describeEnd(question, undefined)
  const find = () => request<StoredCall>(callApi(body.callId)).catch(() => undefined)
  const call = await find()
  if (call?.decision !== null) return describeEnd(question, call)
  await new Promise((resolve) => setTimeout(resolve, decidedAfterMs))
  return describeEnd(question, await find())
}

/** Answers one question. It disappears from the page when it is closed. `said` is announced only if the answer counts. */
export function useAnswer(question: StoredQuestion) {
  const { id } = question
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<ApiFailure>()
  const isGiven = useRef(false)
  // The page reads its questions again only once it has access.
  useEffect(() => setFailure((shown) => (shown?.code === 'page.signed_out' ? undefined : shown)), [question])
  const answer = async (given: StoredAnswer, said: string) => {
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
