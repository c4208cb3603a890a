import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../base/errors.ts'
import type { SessionId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { OpenQuestion, QuestionBody, Questions, StoredAnswer } from '../history/questions.ts'
import type { JsonSchema, ToolRef } from '../messages/tool.ts'
import { answerChoices } from '../policy/answer-choices.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../policy/approver.ts'
import { redactedMark } from '../redaction/redact.ts'

export interface SharedApproverOptions {
  /** Asks in the editor. */
  readonly approver: Approver
  readonly questions: Questions
  readonly agent: string
  readonly sessionId: SessionId
  readonly schemaOf: (ref: ToolRef) => JsonSchema | undefined
  readonly logger: Logger
}

/** The interval between checks for an answer from the console. */
const lookEveryMs = 100

/** Asks in the editor and in the console at once. The first answer wins, and the other question closes. */
export function createSharedApprover(options: SharedApproverOptions): Approver {
  const { approver, questions, agent, sessionId, schemaOf, logger } = options
  return {
    async ask(question, signal) {
      const body = toBody(question, schemaOf(question.ref))
      const open = await questions.open({ agent, sessionId, body }).catch(() => undefined)
      if (open === undefined) return approver.ask(question, signal)
      const settled = new AbortController()
      const both = AbortSignal.any([signal, settled.signal])
      try {
        const elsewhere = waitForAnswer(open, both)
        const here = approver.ask(question, both).then(async (answer) => (await claimed(open)) ?? { answer })
        const first = await Promise.race([here, elsewhere.then((stored) => (stored === undefined ? here : { stored }))])
        return 'stored' in first ? fromStored(first.stored, question, body) : first.answer
      } finally {
        settled.abort()
        await open.close().catch((error: unknown) => logger.debug('a question could not be closed', { error: messageOf(error) }))
      }
    },
  }

  /** The console may have answered a moment before the editor did. */
  async function claimed(open: OpenQuestion): Promise<{ readonly stored: StoredAnswer } | undefined> {
    const stored = await open.close().catch(() => undefined)
    return stored && { stored }
  }
}

/** Undefined when the signal aborts. A database that cannot be read gives no answer. */
async function waitForAnswer(open: OpenQuestion, signal: AbortSignal): Promise<StoredAnswer | undefined> {
  while (!signal.aborted) {
    try {
      const answer = open.read()
      if (answer !== undefined) return answer
    } catch {
      // The editor still asks.
    }
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return undefined
}

/** Only a choice that was offered can allow the call. Edited arguments count for this call alone. */
function fromStored({ choice, arguments: args }: StoredAnswer, question: ApprovalQuestion, { isEditable }: QuestionBody): ApprovalAnswer {
  const answer = answerChoices(question).find(({ id }) => id === choice)?.answer ?? ({ verdict: 'deny', scope: 'once' } as const)
  if (args === undefined || answer.verdict === 'deny') return { ...answer, from: 'console' }
  return isEditable ? { verdict: 'allow', scope: 'once', from: 'console', args } : { verdict: 'deny', scope: 'once', from: 'console' }
}

/**
 * The database keeps nothing that nobody has allowed: diffs of files of secrets, and of files outside the session's directories, are shown
 * in the editor only.
 */
function toBody(question: ApprovalQuestion, inputSchema: JsonSchema | undefined): QuestionBody {
  const { call, ref, args, serverOrigin, claims, plan, changes, difference } = question
  const isSensitive = (plan?.sensitive?.length ?? 0) > 0 || (plan?.outside?.length ?? 0) > 0
  return {
    callId: call.id,
    title: call.title,
    ref,
    args,
    content: isSensitive ? [] : (call.content ?? []).filter(({ type }) => type === 'diff'),
    // A redaction mark would take the place of the secret.
    isEditable: inputSchema !== undefined && !JSON.stringify(args).includes(redactedMark),
    choices: answerChoices(question).map(({ id, name, kind }) => ({ id, name, kind })),
    ...(serverOrigin !== undefined && { serverOrigin }),
    ...(claims !== undefined && { claims }),
    ...(plan !== undefined && { plan }),
    ...(changes !== undefined && { changes }),
    ...(difference !== undefined && { difference }),
    ...(inputSchema !== undefined && { inputSchema }),
  }
}
