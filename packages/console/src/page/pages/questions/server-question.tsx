import type { FormQuestion, PageQuestion } from '@ostler/agent-api/manage'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { StoredQuestion } from '../../../api.ts'
import { Time } from '../../parts/time.tsx'
import { describeQuestion } from '../../text/describe-question.ts'
import { QuestionPlace } from './question-place.tsx'

interface ServerQuestionProps {
  readonly question: StoredQuestion
  readonly body: FormQuestion | PageQuestion
  readonly children: ComponentChildren
}

/** The text of a server, clearly marked as such, with the means to answer. */
export function ServerQuestion({ question, body: { message }, children }: ServerQuestionProps) {
  const titleId = useId()
  return (
    <article class="card question" aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId} tabIndex={-1}>
          {describeQuestion(question)}
        </h2>
        <span class="spacer" />
        <Time at={question.askedAt} />
      </header>
      <QuestionPlace question={question} />
      <p class="message-text">{message}</p>
      {children}
    </article>
  )
}
