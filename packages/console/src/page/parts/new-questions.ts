import { counted } from '@ostler/agent-api/browser'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { QuestionList, StoredQuestion } from '../../api.ts'
import { readStored, store } from '../api/storage.ts'
import { navigate } from '../route.ts'
import { describeQuestion } from '../text/describe-question.ts'
import { announce } from './announce.tsx'

/** Announces the questions that were not open before, and tells the desktop if the person chose that and is not looking at the page. */
export function useNewQuestions(list: QuestionList | undefined): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  useEffect(() => {
    if (list === undefined) return
    const { questions } = list
    const before = known.current
    known.current = new Set(questions.map(({ id }) => id))
    // The page shows the questions that were open when it was loaded, so they are not new.
    const added = before === undefined ? [] : questions.filter(({ id }) => !before.has(id))
    const [first] = added
    if (first === undefined) return
    const text = added.length === 1 ? describeQuestion(first) : counted(added.length, 'new question')
    announce(`Waiting for you: ${text}`)
    if ((document.hidden || !document.hasFocus()) && isNotifying()) notify(first, text)
  }, [list])
}

function notify({ id }: StoredQuestion, text: string): void {
  const notification = new Notification('Ostler is waiting for you', { body: text, tag: id })
  notification.onclick = () => {
    focus()
    navigate('/questions')
    notification.close()
  }
}

/** Undefined if the browser cannot. The choice belongs to the browser, which can take the permission back. */
export function useNotifying(): readonly [isOn: boolean, choose: (isOn: boolean) => void] | undefined {
  const [isOn, setOn] = useState(isNotifying)
  if (typeof Notification === 'undefined') return undefined
  const choose = async (wanted: boolean) => {
    const isAllowed = wanted && (await Notification.requestPermission()) === 'granted'
    if (wanted && !isAllowed) announce('Your browser does not allow notifications of this page.')
    store('notify', isAllowed ? 'on' : 'off')
    setOn(isNotifying())
  }
  return [isOn, (wanted) => void choose(wanted)]
}

function isNotifying(): boolean {
  return readStored('notify') === 'on' && Notification.permission === 'granted'
}
