import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import type { SessionId, ToolCallId } from '../../base/ids.ts'
import { onAbort } from '../../base/or-aborted.ts'
import type { ToolArguments, ToolOutput } from '../../messages/tool.ts'
import type { FormQuestion, PageQuestion } from '../../messages/question.ts'
import type { ApprovalQuestion } from '../../policy/question.ts'
import type { AnswerKind } from '../../policy/always-allow/answer-choices.ts'
import type { Changes } from '../changes.ts'
import type { Journal } from '../db/journal.ts'
import { securelyDeleting } from '../db/secure-delete.ts'
import { hasEnded } from '../presence/process-mark.ts'
import { createAnswerKey, sealAnswer, type AnswerKey } from './seal-answer.ts'
import { type Statements, parseJson, toValid } from '../db/statements.ts'

/**
 * The questions that wait for a person, in all processes. An editor asks, and so does the console: the first answer wins. A row exists only
 * while its question is open. Answering is one conditional statement, so there is never a second answer.
 */
export interface Questions {
  /** Undefined if the question cannot be stored. It is then asked in the editor only. */
  open(question: NewQuestion): Promise<OpenQuestion | undefined>
  /** The questions of running processes, oldest first. */
  list(): readonly StoredQuestion[]
  /** Cheap however large the questions are. */
  ids(): readonly string[]
  /** False if the question has another answer, or is no longer open. */
  answer(id: string, answer: StoredAnswer): Promise<boolean>
}

export interface OpenQuestion {
  /** Settles with the answer of another process, or with undefined when the signal aborts. */
  answered(signal: AbortSignal): Promise<StoredAnswer | undefined>
  /** Returns the answer that another process gave before. Later calls have no effect. */
  close(): Promise<StoredAnswer | undefined>
}

export type QuestionBody = CallBody | FormBody | PageBody

export interface CallBody extends Pick<
  ApprovalQuestion,
  'ref' | 'serverOrigin' | 'serverFence' | 'claims' | 'plan' | 'warning' | 'changes' | 'difference'
> {
  readonly kind: 'call'
  readonly callId: ToolCallId
  readonly title: string
  readonly args: ToolArguments
  /** Diffs of what the call would change. */
  readonly content: readonly ToolOutput[]
  /** False for arguments with a redacted part. */
  readonly isEditable: boolean
  readonly choices: readonly { readonly id: string; readonly name: string; readonly kind: AnswerKind }[]
  readonly inputSchema?: Readonly<Record<string, unknown>>
}

/** The choices are `accept`, with the values as arguments, and `decline`. */
export type FormBody = Omit<FormQuestion, 'callId'>

/** The choices are `accept` and `decline`. */
export interface PageBody extends Omit<PageQuestion, 'elicitationId'> {
  /** The hash of the server's address, if it is a login. Several agents may offer the same one. */
  readonly login?: string
}

export interface NewQuestion {
  readonly agent: string
  readonly sessionId: SessionId
  readonly body: QuestionBody
}

export interface StoredQuestion extends NewQuestion {
  readonly id: string
  readonly sessionTitle: string | null
  readonly cwd: string | null
  readonly askedAt: string
}

export interface StoredAnswer {
  readonly choice: string
  readonly arguments?: ToolArguments
}

/** A question that is too large to be shown in full is asked in the editor only. */
const bodyCharsMax = 512 * 1024
const retryMs = 100

const insert =
  'INSERT INTO questions (id, process, agent, session_id, asked_at, body, key) VALUES (?, ?, ?, ?, ?, ?, ?)'
const select = `SELECT questions.id, process, questions.agent, session_id AS sessionId, title AS sessionTitle, cwd, asked_at AS askedAt, body FROM questions
  LEFT JOIN sessions ON sessions.id = session_id WHERE answer IS NULL ORDER BY asked_at, questions.id`
const selectIds = 'SELECT id, process FROM questions WHERE answer IS NULL ORDER BY asked_at, id'
const selectKey = 'SELECT key FROM questions WHERE id = ? AND answer IS NULL'
const remove = 'DELETE FROM questions WHERE id = ? RETURNING answer'
const put = 'UPDATE questions SET answer = ? WHERE id = ? AND answer IS NULL'

const asking = { server: z.string(), message: z.string() }
const bodySchema = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('call'),
    callId: z.string(),
    title: z.string(),
    ref: z.object({ server: z.string().nullable(), tool: z.string() }),
    args: z.record(z.string(), z.unknown()),
    content: z.array(z.looseObject({ type: z.string() })),
    isEditable: z.boolean(),
    choices: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string() })),
  }),
  z.looseObject({
    kind: z.literal('form'),
    ...asking,
    server: z.string().nullable(),
    schema: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    kind: z.literal('page'),
    ...asking,
    url: z.url({ protocol: /^https?$/ }),
    login: z.string().exactOptional(),
  }),
])

const rowSchema = z.object({
  id: z.string(),
  agent: z.string(),
  sessionId: z.string(),
  sessionTitle: z.string().nullable(),
  cwd: z.string().nullable(),
  askedAt: z.string(),
  body: z.string().transform(parseJson).pipe(bodySchema),
})
const answerSchema = z.object({ choice: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })

export interface QuestionsOptions {
  readonly journal: Journal
  readonly changes: Changes
  readonly process: string
  readonly strike: Strike
}

export function createQuestions({ journal, changes, process, strike }: QuestionsOptions): Questions {
  let nextKey: Promise<AnswerKey> | undefined

  return {
    async open({ agent, sessionId, body }) {
      const text = JSON.stringify(strike(body))
      if (text.length > bodyCharsMax || journal.isReadOnly) return undefined
      // A redaction mark would change the form, or lead to another page.
      if (body.kind !== 'call' && text !== JSON.stringify(body)) return undefined
      const id = randomUUID()
      const at = new Date().toISOString()
      const making = nextKey ?? createAnswerKey()
      nextKey = undefined
      const key = await making
      const written = journal.tryChange((statements) =>
        statements.run(insert, id, process, agent, sessionId, at, text, key.publicKey),
      )
      if (written === undefined) return undefined
      // Made while the person reads this question, so that the next one does not wait for it.
      nextKey = createAnswerKey()
      nextKey.catch(() => undefined)
      let isClosed = false
      return {
        async answered(signal) {
          const { promise, resolve } = Promise.withResolvers<StoredAnswer | undefined>()
          using _ = onAbort(signal, () => resolve(undefined))
          let retrying: NodeJS.Timeout | undefined
          const look = (): void => {
            clearTimeout(retrying)
            try {
              const sealed = journal.read((statements) => sealedAnswer(statements, id))
              if (sealed !== undefined) resolve(toAnswer(sealed, key))
            } catch {
              // No later event reports this change. The editor still asks.
              retrying = setTimeout(look, retryMs).unref()
            }
          }
          const stop = changes.watch('questions', look)
          look()
          try {
            return await (signal.aborted ? undefined : promise)
          } finally {
            stop()
            clearTimeout(retrying)
          }
        },
        async close() {
          if (isClosed) return undefined
          const sealed = await journal.change((statements) =>
            securelyDeleting(statements, () => statements.get(remove, id)?.['answer']),
          )
          isClosed = true
          return typeof sealed === 'string' ? toAnswer(sealed, key) : undefined
        },
      }
    },
    list: () => journal.read(listQuestions),
    ids: () => journal.read(openQuestionIds),
    async answer(id, answer) {
      const key = journal.read((statements) => statements.get(selectKey, id))?.['key']
      const sealed = typeof key === 'string' ? await sealAnswer(JSON.stringify(answer), key) : undefined
      return sealed !== undefined && journal.change((statements) => statements.run(put, sealed, id) > 0)
    },
  }
}

function listQuestions(statements: Statements): readonly StoredQuestion[] {
  const rows = statements.all(select).filter((row) => !hasEnded(row))
  return toValid(rowSchema, rows).map(({ body, ...row }) => ({
    ...row,
    body: body as unknown as QuestionBody,
  }))
}

export function openQuestionIds(statements: Statements): readonly string[] {
  return statements
    .all(selectIds)
    .filter((row) => !hasEnded(row))
    .map(({ id }) => String(id))
}

function sealedAnswer(statements: Statements, id: string): string | undefined {
  const sealed = statements.get('SELECT answer FROM questions WHERE id = ?', id)?.['answer']
  return typeof sealed === 'string' ? sealed : undefined
}

/** An answer that cannot be read allows nothing. */
async function toAnswer(sealed: string, key: AnswerKey): Promise<StoredAnswer> {
  const parsed = answerSchema.safeParse(parseJson((await key.open(sealed)) ?? ''))
  return parsed.success ? parsed.data : { choice: '' }
}
