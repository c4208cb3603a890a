import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QuestionList, StoredQuestion } from '../../../api.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { QuestionEnd } from '../../parts/answers.tsx'
import { Empty, Guarded, Loading } from '../../parts/loading.tsx'
import { useNotifying } from '../../parts/new-questions.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Switch } from '../../parts/form.tsx'
import { formatCount } from '../../text/quantities.ts'
import type { ShownQuestion } from './merge-shown.ts'
import { useShownQuestions } from './use-shown-questions.ts'
import { CallQuestion } from './call-question.tsx'
import { FormQuestion, PageQuestion } from './server-question.tsx'

/** The oldest come first. */
const shownStep = 50

const none: readonly StoredQuestion[] = []

export function QuestionsPage({ questions: loaded }: { questions: Loaded<QuestionList> }) {
  const shown = useShownQuestions(loaded.data?.questions ?? none)
  const [limit, setLimit] = useState(shownStep)
  const notifying = useNotifying()
  return (
    <PageFrame
      title="Questions"
      about="What agents are waiting for. Answer here or in your editor; the first answer counts."
      actions={notifying && <Switch label="Notify me" isOn={notifying[0]} onChange={notifying[1]} />}
    >
      <Loading of={loaded}>
        {({ questions }) => (
          <>
            {questions.length === 0 && shown.length === 0 && (
              <Empty title="No agent is waiting for you">
                <p>
                  When an agent asks before a call, or a server asks you for something, the question appears
                  here as well as in your editor.
                </p>
              </Empty>
            )}
            <ul class="cards" aria-label="Questions">
              {shown.slice(0, limit).map((one) => (
                <Card key={one.question.id} {...one} />
              ))}
            </ul>
            {shown.length > limit && (
              <button type="button" onClick={() => setLimit(limit + shownStep)}>
                Show {Math.min(shownStep, shown.length - limit)} more of {formatCount(shown.length)}
              </button>
            )}
          </>
        )}
      </Loading>
    </PageFrame>
  )
}

/** When its buttons disappear, its focus moves to its heading, and later to the next question or the heading of the page. */
function Card({ question, end }: ShownQuestion) {
  const item = useRef<HTMLLIElement>(null)
  const isEnded = end !== undefined
  useLayoutEffect(() => {
    const card = item.current
    if (isEnded && card?.contains(document.activeElement) === true) card.querySelector('h2')?.focus()
  }, [isEnded])
  useLayoutEffect(() => {
    const card = item.current
    return () => {
      if (card?.contains(document.activeElement) !== true) return
      const next = card.nextElementSibling?.querySelector('h2') ?? document.querySelector('h1')
      next?.focus()
    }
  }, [])
  return (
    <li ref={item}>
      <Guarded what="This question">
        <QuestionEnd.Provider value={end}>
          <Question question={question} />
        </QuestionEnd.Provider>
      </Guarded>
    </li>
  )
}

function Question({ question }: { question: StoredQuestion }) {
  switch (question.body.kind) {
    case 'call':
      return <CallQuestion question={question} body={question.body} />
    case 'form':
      return <FormQuestion question={question} body={question.body} />
    case 'page':
      return <PageQuestion question={question} body={question.body} />
  }
}
