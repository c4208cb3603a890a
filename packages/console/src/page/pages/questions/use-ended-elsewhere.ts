import { useEffect, useRef } from 'preact/hooks'
import type { CallDetail, StoredQuestion } from '../../../api.ts'
import { request } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { describeEnd } from './describe-end.ts'

/** The questions that were answered on this page. */
export const answeredHere = new Set<string>()

/** The agent writes its decision a moment after the question is closed. */
const decidedAfterMs = 400

/** Announces the end of questions that disappear without an answer from this page. */
export function useEndedElsewhere(questions: readonly StoredQuestion[]): void {
  const before = useRef<readonly StoredQuestion[]>([])
  useEffect(() => {
    const ids = new Set(questions.map(({ id }) => id))
    for (const question of before.current) if (!ids.has(question.id) && !answeredHere.has(question.id)) void tellEnd(question)
    before.current = questions
  }, [questions])
}

async function tellEnd(question: StoredQuestion): Promise<void> {
  const { body } = question
  if (body.kind !== 'call') return announce(describeEnd(question, undefined))
  const find = () => request<CallDetail>(`/api/calls/${encodeURIComponent(body.callId)}`).catch(() => undefined)
  const call = await find()
  if (call?.decision !== null) return announce(describeEnd(question, call))
  await new Promise((resolve) => setTimeout(resolve, decidedAfterMs))
  announce(describeEnd(question, await find()))
}
