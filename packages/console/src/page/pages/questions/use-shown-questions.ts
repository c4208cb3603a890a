import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallDetail, StoredQuestion } from '../../../api.ts'
import { request } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { describeQuestion } from '../../text/describe-question.ts'
import { describeEnd } from './describe-end.ts'
import { mergeShown, type ShownQuestion } from './merge-shown.ts'

/** What was done with the questions that were answered on this page. */
export const answeredHere = new Map<string, string>()

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
  const find = () => request<CallDetail>(`/api/calls/${encodeURIComponent(body.callId)}`).catch(() => undefined)
  const call = await find()
  if (call?.decision !== null) return describeEnd(question, call)
  await new Promise((resolve) => setTimeout(resolve, decidedAfterMs))
  return describeEnd(question, await find())
}
