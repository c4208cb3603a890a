import {
  type CallBody,
  findProblems,
  type FormBody,
  type PageBody,
  type StoredQuestion,
} from '@ostler/agent-api/internal'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { CheckedPatterns, QuestionList, StoredAnswer } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { routes } from './route-table.ts'

const answerSchema = z.strictObject({
  choice: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
})
const problemsShownMax = 8

/** The questions of all agents, and a person's answers. The agent checks an answer again. */
export function questionRoutes({ state }: ConsoleContext) {
  return routes({
    'GET /api/questions': (): QuestionList => ({ questions: onePerLogin(state.questions.list()) }),
    async 'POST /api/questions/:id/answer'({ params, body }) {
      const answer: StoredAnswer = parseRequest(answerSchema, body)
      const questions = state.questions.list()
      const question = questions.find(({ id }) => id === params['id'])
      if (question === undefined) throw closed()
      check(question, answer)
      if (!(await state.questions.answer(question.id, answer))) throw closed()
      // The other agents wait for the same login.
      for (const other of questions)
        if (other !== question && isSameLogin(other, question)) await state.questions.answer(other.id, answer)
    },
  })
}

/** Several agents may offer the same login. The first one is shown. */
function onePerLogin(questions: readonly StoredQuestion[]): readonly StoredQuestion[] {
  return questions.filter(
    (question, index) => !questions.slice(0, index).some((other) => isSameLogin(other, question)),
  )
}

function isSameLogin({ body: one }: StoredQuestion, { body: other }: StoredQuestion): boolean {
  return one.kind === 'page' && other.kind === 'page' && one.login !== undefined && one.login === other.login
}

function check({ body }: StoredQuestion, answer: StoredAnswer): void {
  if (body.kind === 'call') checkCall(body, answer)
  else checkForm(body, answer)
}

function checkCall(
  { choices, isEditable, inputSchema }: CallBody,
  { choice, arguments: args }: StoredAnswer,
): void {
  const chosen = choices.find(({ id }) => id === choice)
  if (chosen === undefined) throw unknownAnswer()
  if (args === undefined) return
  if (chosen.kind !== 'allow_once' || !isEditable || inputSchema === undefined)
    throw requestError(422, 'console.bad_answer', 'Changed arguments can only be allowed once.')
  refuseProblems(inputSchema, args, 'The tool')
}

/** Only the answer that accepts a form has values. */
function checkForm(body: FormBody | PageBody, { choice, arguments: content }: StoredAnswer): void {
  const hasContent = content !== undefined
  if (!['accept', 'decline'].includes(choice) || hasContent !== (choice === 'accept' && body.kind === 'form'))
    throw unknownAnswer()
  if (hasContent && body.kind === 'form') refuseProblems(body.schema, content, 'The form')
}

function refuseProblems(
  schema: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
  subject: string,
): void {
  const problems = findProblems(schema, values)
  if (problems.length > 0)
    throw requestError(
      422,
      'console.bad_arguments',
      `${subject} does not accept this: ${problems.slice(0, problemsShownMax).join('; ')}.`,
    )
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

const checksMax = 200
const checkSchema = z.strictObject({
  checks: z.array(z.strictObject({ pattern: z.string(), text: z.string() })).max(checksMax),
})

/** Checks texts against patterns of servers, on a matcher that takes linear time. */
export function patternRoutes() {
  return routes({
    async 'POST /api/patterns'({ body }): Promise<CheckedPatterns> {
      const matches: boolean[] = []
      for (const { pattern, text } of parseRequest(checkSchema, body).checks) {
        matches.push(findProblems({ pattern }, text).length === 0)
        // Each check is limited, but many of them together take long.
        await setImmediate()
      }
      return { matches }
    },
  })
}
