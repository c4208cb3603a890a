import { findProblems } from '@ostler/agent-api/internal'
import type { CallQuestion, FormQuestion, PageQuestion, StoredQuestion } from '@ostler/agent-api/manage'
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
      handle: () => json({ questions: onePerLogin(history.questions.list()) } satisfies QuestionList),
    },
    {
      method: 'POST',
      path: '/api/questions/:id/answer',
      async handle({ params, body }) {
        const answer: AnswerQuestion = parseRequest(answerSchema, body)
        const questions = history.questions.list()
        const question = questions.find(({ id }) => id === params['id'])
        if (question === undefined) throw closed()
        check(question, answer)
        if (!(await history.questions.answer(question.id, answer))) throw closed()
        // The other agents wait for the same login.
        for (const other of questions)
          if (other !== question && isSameLogin(other, question)) await history.questions.answer(other.id, answer)
        return json({})
      },
    },
  ]
}

/** Several agents may offer the same login. The first one is shown. */
function onePerLogin(questions: readonly StoredQuestion[]): readonly StoredQuestion[] {
  return questions.filter((question, index) => !questions.slice(0, index).some((other) => isSameLogin(other, question)))
}

function isSameLogin({ body: one }: StoredQuestion, { body: other }: StoredQuestion): boolean {
  return one.kind === 'page' && other.kind === 'page' && one.login !== undefined && one.login === other.login
}

function check({ body }: StoredQuestion, answer: AnswerQuestion): void {
  if (body.kind === 'call') checkCall(body, answer)
  else checkForm(body, answer)
}

function checkCall({ choices, isEditable, inputSchema }: CallQuestion, { choice, arguments: args }: AnswerQuestion): void {
  const chosen = choices.find(({ id }) => id === choice)
  if (chosen === undefined) throw unknownAnswer()
  if (args === undefined) return
  if (chosen.kind !== 'allow_once' || !isEditable || inputSchema === undefined)
    throw requestError(422, 'console.bad_answer', 'Changed arguments can only be allowed once.')
  refuseProblems(inputSchema, args, 'The tool')
}

/** Only the answer that accepts a form has values. */
function checkForm(body: FormQuestion | PageQuestion, { choice, arguments: content }: AnswerQuestion): void {
  const hasContent = content !== undefined
  if (!['accept', 'decline'].includes(choice) || hasContent !== (choice === 'accept' && body.kind === 'form')) throw unknownAnswer()
  if (hasContent && body.kind === 'form') refuseProblems(body.schema, content, 'The form')
}

function refuseProblems(schema: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>, subject: string): void {
  const problems = findProblems(schema, values)
  if (problems.length > 0)
    throw requestError(422, 'console.bad_arguments', `${subject} does not accept this: ${problems.slice(0, problemsShownMax).join('; ')}.`)
}

function unknownAnswer() {
  return requestError(422, 'console.bad_answer', 'This is not one of the answers.')
}

function closed() {
  return requestError(
    409,
    'console.question_closed',
    'This question is no longer open. It was answered in another place, or its turn ended.',
  )
}
