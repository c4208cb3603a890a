import type { StoredQuestion } from '../../../api.ts'
import { CallQuestion } from './call-question.tsx'
import { FormQuestion } from './form-question.tsx'
import { PageQuestion } from './page-question.tsx'

/** A question, with everything a person needs to know to answer it. */
export function Question({ question }: { readonly question: StoredQuestion }) {
  switch (question.body.kind) {
    case 'call':
      return <CallQuestion question={question} body={question.body} />
    case 'form':
      return <FormQuestion question={question} body={question.body} />
    case 'page':
      return <PageQuestion question={question} body={question.body} />
  }
}
