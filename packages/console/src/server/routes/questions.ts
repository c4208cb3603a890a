import { findProblems } from '@ostler/agent-api/internal'
import type { StoredQuestion } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { AnswerQuestion, QuestionList } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'

const answerSchema = z.strictObject({ choice: z.string(), arguments: z.record(z.string(), z.unknown()).exactOptional() })
const problemsShownMax = 8

/** The questions of all agents, and a person's answers. The agent checks an answer again. */
export function questionRoutes({ history }: ConsoleContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/questions',
      handle: () => json({ questions: history.questions.list() } satisfies QuestionList),
    },
    {
      method: 'POST',
      path: '/api/questions/:id/answer',
      async handle({ params, body }) {
        const answer: AnswerQuestion = parseRequest(answerSchema, body)
        const question = history.questions.list().find(({ id }) => id === params['id'])
        if (question === undefined) throw closed()
        check(question, answer)
        if (!(await history.questions.answer(question.id, answer))) throw closed()
        return json({})
      },
    },
  ]
}

function check({ body: { choices, isEditable, inputSchema } }: StoredQuestion, { choice, arguments: args }: AnswerQuestion): void {
  const chosen = choices.find(({ id }) => id === choice)
  if (chosen === undefined) throw requestError(422, 'console.bad_answer', 'This is not one of the answers.')
  if (args === undefined) return
  if (chosen.kind !== 'allow_once' || !isEditable || inputSchema === undefined)
    throw requestError(422, 'console.bad_answer', 'Changed arguments can only be allowed once.')
  const problems = findProblems(inputSchema, args)
  if (problems.length > 0)
    throw requestError(422, 'console.bad_arguments', `The tool does not accept this: ${problems.slice(0, problemsShownMax).join('; ')}.`)
}

function closed() {
  return requestError(409, 'console.question_closed', 'This question is no longer open. It was answered in the editor, or its turn ended.')
}
