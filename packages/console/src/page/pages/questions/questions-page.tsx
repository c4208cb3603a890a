import { useLayoutEffect, useRef } from 'preact/hooks'
import type { QuestionList, StoredQuestion } from '../../../api.ts'
import type { Loaded } from '../../api/use-loaded.ts'
import { Empty } from '../../parts/empty.tsx'
import { Guarded } from '../../parts/guarded.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Question } from './question.tsx'
import { useEndedElsewhere } from './use-ended-elsewhere.ts'

const none: readonly StoredQuestion[] = []

/** The questions of all agents on this computer, oldest first. */
export function QuestionsPage({ questions: loaded }: { readonly questions: Loaded<QuestionList> }) {
  useEndedElsewhere(loaded.data?.questions ?? none)
  return (
    <PageFrame title="Questions" about="What agents are waiting for. Answer here or in your editor; the first answer counts.">
      <Loading of={loaded}>
        {({ questions }) => (
          <>
            {questions.length === 0 && (
              <Empty title="No agent is waiting for you">
                <p>
                  When an agent asks before a call, or a server asks you for something, the question appears here as well as in your editor.
                </p>
              </Empty>
            )}
            <ul class="cards" aria-label="Questions">
              {questions.map((question) => (
                <Card key={question.id} question={question} />
              ))}
            </ul>
          </>
        )}
      </Loading>
    </PageFrame>
  )
}

/** When it disappears, its focus moves to the next question, or else to the heading of the page. */
function Card({ question }: { readonly question: StoredQuestion }) {
  const item = useRef<HTMLLIElement>(null)
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
        <Question question={question} />
      </Guarded>
    </li>
  )
}
