import { messageOf } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { Logger } from '../base/logger.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { FenceReport } from '../messages/fence-report.ts'
import type { Answer, FormQuestion, PageQuestion } from '../messages/question.ts'
import type { JsonSchema, ToolAnnotations, ToolArguments, ToolRef } from '../messages/tool.ts'
import type { ToolCallView } from '../messages/turn-event.ts'
import type { Lasting, PlanFacts } from './approval.ts'
import type { Rule } from './decision-rule.ts'

/** Everything that a person is asked. */
export type Question = ApprovalQuestion | FormQuestion | PageQuestion | LoginQuestion

/** A call that needs permission, with everything a person needs to decide. */
export interface ApprovalQuestion {
  /** `restore`: the person undoes a change, and the file has changed since. */
  readonly kind: 'call' | 'restore'
  readonly call: ToolCallView
  readonly ref: ToolRef
  readonly args: ToolArguments
  /** The schema that changed arguments must match. Undefined if they cannot be changed. */
  readonly inputSchema?: JsonSchema | undefined
  /** The command line or address of the tool's server. Undefined for a local tool. */
  readonly serverOrigin?: string
  /** The fence in which the tool's server runs. Undefined if its configuration has no sandbox. */
  readonly serverFence?: FenceReport | undefined
  /** The server's claims about its tool. Not verified. */
  readonly claims?: ToolAnnotations | undefined
  /** The planned effect of the call. Undefined if its tool makes no plan. */
  readonly plan?: PlanFacts | undefined
  /** The calls that an answer for longer than this call allows. Other answers count for this call only. */
  readonly lasting: Lasting
  /** A warning about the mode, in the first question of a session that has it. */
  readonly warning?: string | undefined
  /** Changes since the person allowed this tool permanently. Undefined without changes. */
  readonly changes?: readonly string[] | undefined
  /** The changed lines of the tool's definition. Null if the earlier one was not kept, undefined if it is the same. */
  readonly difference?: string | null | undefined
  /** True if no call follows, so that the question is all there is to show. It can come at any time, also between prompts. */
  readonly isApart?: true
}

/** A server needs a login. The question is closed when the login has ended. It can come at any time. */
export interface LoginQuestion {
  readonly kind: 'login'
  readonly server: string
  readonly url: string
  /** The hash of the server's address. */
  readonly login: string
  /** The missing scopes. Undefined if the person is not logged in yet. */
  readonly scope?: string | undefined
}

/** Answers questions: a person in an editor, a test or a program. Without one, calls that need permission are denied. */
export interface Person {
  /** The kinds of questions that they can be asked. By default, those about calls. */
  readonly asks?: readonly Question['kind'][]
  /** Only a clear yes counts. A rejection, an error or anything unclear allows nothing. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>
  /** Called with the answer to a question with `isApart`, wherever it was given. */
  end?(question: ApprovalQuestion, answer: Answer): Promise<void>
  /** Called when the purpose of a question's page is fulfilled. */
  visited?(elicitationId: string): void
}

/** Asks and judges: the answer is clear, and a failure to ask is a no. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>

export function canAsk({ asks = ['call', 'restore'] }: Person, kind: Question['kind']): boolean {
  return asks.includes(kind)
}

const denied: Answer = { verdict: 'deny', scope: 'once' }
const unasked: Answer = { ...denied, from: 'nobody' }
const cancelled: Answer = { verdict: 'cancelled' }

/** A failure to ask is a no, and so is a question of a kind that is not in `asks`. */
export async function askPerson(
  person: Person,
  question: Question,
  signal: AbortSignal,
  logger: Logger,
): Promise<Answer> {
  const no = isApproval(question) ? unasked : cancelled
  if (!canAsk(person, question.kind)) return no
  try {
    return judge(question, await orAborted(person.ask(question, signal), signal, cancelled))
  } catch (error) {
    if (!signal.aborted)
      logger.warn('the question could not be asked, so the answer is no', { error: messageOf(error) })
    return no
  }
}

export function isApproval(question: Question): question is ApprovalQuestion {
  return question.kind === 'call' || question.kind === 'restore'
}

/** A program without types may answer anything. Only a clear yes allows something, and only a clear "always" lasts. */
function judge(question: Question, answer: unknown): Answer {
  const isCall = isApproval(question)
  const unclear = isCall ? denied : cancelled
  if (!isRecord(answer)) return unclear
  const { verdict, scope, values } = answer
  const from = answer['from'] === 'console' ? 'console' : undefined
  if (verdict === 'cancelled') return { verdict, from }
  if (verdict !== 'allow' && verdict !== 'deny') return unclear
  if (!isCall)
    return verdict === 'deny' ? { verdict, from } : { verdict, values: formValues(question, values), from }
  if (answer['from'] === 'nobody') return unasked
  // The permission is for these arguments only.
  if (verdict === 'allow' && values !== undefined)
    return isRecord(values) && question.inputSchema !== undefined
      ? { verdict, scope: 'once', values, from }
      : denied
  if (!canLast(question.lasting, verdict)) return { verdict, scope: 'once', from }
  if (scope === 'session' || scope === 'always') return { verdict, scope, from }
  return verdict === 'allow' && scope === 'server'
    ? { verdict, scope, from }
    : { verdict, scope: 'once', from }
}

/** Fields that the form does not have are dropped. */
function formValues(question: Question, values: unknown): ToolArguments | undefined {
  if (question.kind !== 'form' || !isRecord(values)) return undefined
  const { properties } = question.schema
  const fields = Object.entries(values).filter(
    ([name]) => isRecord(properties) && Object.hasOwn(properties, name),
  )
  return Object.fromEntries(fields)
}

/** Only a whole tool can be rejected for longer than one call, because a command can be written in too many ways. */
function canLast({ type }: Lasting, verdict: 'allow' | 'deny'): boolean {
  return type === 'tool' || type === 'origin' || (verdict === 'allow' && type !== 'nothing')
}

const answerWords = { allow: 'accepted', deny: 'declined', cancelled: 'cancelled' } as const

/** The rule that the history keeps for an answer. It has no values. */
export function ruleOf(question: Question, answer: Answer): Rule {
  if (answer.from === 'nobody') return { by: 'no-approver' }
  const place = answer.from
  if (!isApproval(question)) return { by: 'answer', how: answerWords[answer.verdict], place }
  switch (answer.verdict) {
    case 'allow':
      return { by: 'person', how: `allow-${answer.scope ?? 'once'}`, place }
    case 'deny':
      return { by: 'person', how: `deny-${answer.scope ?? 'once'}`, place }
    case 'cancelled':
      return { by: 'person', how: 'cancelled', place }
  }
}
