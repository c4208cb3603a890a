import type { StoredQuestion } from '../../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { Question } from './question.tsx'

/** The questions of all agents on this computer, oldest first. */
export function QuestionsPage({ questions }: { readonly questions: readonly StoredQuestion[] | undefined }) {
  return (
    <PageFrame title="Questions" about="What agents are waiting for. Answer here or in your editor; the first answer counts.">
      {questions === undefined && <p class="loading">Loading…</p>}
      {questions?.length === 0 && (
        <Empty title="No agent is waiting for you">
          <p>When an agent asks before a call, or a server asks you for something, the question appears here as well as in your editor.</p>
        </Empty>
      )}
      <ul class="cards" aria-label="Questions">
        {questions?.map((question) => (
          <li key={question.id}>
            <Question question={question} />
          </li>
        ))}
      </ul>
    </PageFrame>
  )
}
