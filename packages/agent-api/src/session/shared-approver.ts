import type { CallQuestion, StoredAnswer } from '../history/questions.ts'
import type { JsonSchema, ToolRef } from '../messages/tool.ts'
import { answerChoices } from '../policy/answer-choices.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from '../policy/approver.ts'
import { redactedMark } from '../base/redacted-mark.ts'
import { askBoth, type AskBothOptions } from './ask-both.ts'
import { defined } from '../base/defined.ts'

export interface SharedApproverOptions extends AskBothOptions {
  /** Asks in the editor. */
  readonly approver: Approver
  readonly schemaOf: (ref: ToolRef) => JsonSchema | undefined
}

/** Asks before a call in the editor and in the console at once. */
export function createSharedApprover({ approver, schemaOf, ...options }: SharedApproverOptions): Approver {
  return {
    ...(approver.end && { end: approver.end.bind(approver) }),
    ask(question, signal) {
      const body = toBody(question, schemaOf(question.ref))
      const here = (stop: AbortSignal) => approver.ask(question, stop)
      return askBoth(options, body, { here, fromStored: (stored) => fromStored(stored, question, body) }, signal)
    },
  }
}

/** Only a choice that was offered can allow the call. Edited arguments count for this call alone. */
function fromStored({ choice, arguments: args }: StoredAnswer, question: ApprovalQuestion, { isEditable }: CallQuestion): ApprovalAnswer {
  const answer = answerChoices(question).find(({ id }) => id === choice)?.answer ?? ({ verdict: 'deny', scope: 'once' } as const)
  if (args === undefined || answer.verdict === 'deny') return { ...answer, from: 'console' }
  return isEditable ? { verdict: 'allow', scope: 'once', from: 'console', args } : { verdict: 'deny', scope: 'once', from: 'console' }
}

/**
 * The database stores nothing that has not been allowed. So diffs of files of secrets, and of files outside the session's directories, are
 * shown in the editor only.
 */
function toBody(question: ApprovalQuestion, inputSchema: JsonSchema | undefined): CallQuestion {
  const { call, ref, args, serverOrigin, claims, plan, changes, difference } = question
  const isSensitive = (plan?.sensitive?.length ?? 0) > 0 || (plan?.outside?.length ?? 0) > 0
  return {
    kind: 'call',
    callId: call.id,
    title: call.title,
    ref,
    args,
    content: isSensitive ? [] : (call.content ?? []).filter(({ type }) => type === 'diff'),
    // A redaction mark would take the place of the secret.
    isEditable: inputSchema !== undefined && !JSON.stringify(args).includes(redactedMark),
    choices: answerChoices(question).map(({ id, name, kind }) => ({ id, name, kind })),
    ...defined({ serverOrigin, claims, plan, changes, difference, inputSchema }),
  }
}
