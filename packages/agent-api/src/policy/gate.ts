import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { isRecord } from '../base/is-record.ts'
import { orAborted } from '../base/or-aborted.ts'
import { unaskedRule } from './answer-rule.ts'
import { decide, lastingOf, type Approval, type ApprovalMode, type CallFacts, type Decision, type Grant, type Lasting } from './approval.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from './approver.ts'
import { definitionDiff, definitionText } from './definition-text.ts'
import type { ToolArguments } from '../messages/tool.ts'
import type { GrantStore, StoredGrant } from './grant-store.ts'

/** The outcome for a call; `rule` names what decided. */
interface GateAnswer {
  readonly verdict: 'allow' | 'deny' | 'cancelled'
  readonly rule: string
  /** The person has changed the arguments. */
  readonly args?: ToolArguments
}

export interface GateQuestion extends Omit<ApprovalQuestion, 'changes' | 'difference' | 'plan' | 'lasting'> {
  readonly facts: CallFacts
  /** All tools of the same server, including this one, for an answer about all of them. */
  readonly siblings: () => readonly Pick<CallFacts, 'ref' | 'pin' | 'definition'>[]
  /**
   * Called before a question that had to wait for others, because what the call would do may have changed. Undefined if it can no longer
   * work.
   */
  readonly renew?: () => Promise<Pick<GateQuestion, 'call' | 'facts'> | undefined>
}

/** Every call passes the gate: first the rules, then the person. */
export interface Gate {
  pass(question: GateQuestion, signal: AbortSignal): Promise<GateAnswer>
  /** The decision without asking a person, for example for a list of tools. */
  decide(facts: CallFacts): Decision
  /** The lasting answers: those of this session, and the stored ones. */
  grants(): readonly Grant[]
}

export interface GateOptions {
  /** Read for each call: the person may change it. */
  readonly mode: () => ApprovalMode
  readonly approval: Omit<Approval, 'mode'>
  readonly grants: GrantStore
  readonly approver: Approver | undefined
  readonly logger: Logger
}

interface ScopedAnswer {
  readonly verdict: 'allow' | 'deny'
  readonly scope: Exclude<ApprovalAnswer, { verdict: 'cancelled' }>['scope']
}

export function createGate({ mode, approval, grants, approver, logger }: GateOptions): Gate {
  const lastingAnswers = createLastingAnswers(grants, logger)
  let lastQuestion: Promise<unknown> = Promise.resolve()
  let openQuestions = 0
  /** Steps in which the person cancelled a question. This also cancels other questions of the same step. */
  const cancelledSteps = new WeakSet<AbortSignal>()

  return {
    async pass(question, signal) {
      const decision = rule(question)
      if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
      // Ask one question at a time: after an "always", other calls need no question.
      const hasToWait = openQuestions++ > 0
      const answer = lastQuestion.then(() => askUnlessDecided(question, hasToWait, signal)).finally(() => openQuestions--)
      // A failure affects only its own call.
      lastQuestion = answer.catch(() => undefined)
      return answer
    },
    decide: (facts) => rule({ facts }),
    grants: lastingAnswers.list,
  }

  function rule({ facts }: Pick<GateQuestion, 'facts'>): Decision {
    return decide({ ...approval, mode: mode(), grants: lastingAnswers.list() }, facts)
  }

  async function askUnlessDecided(waited: GateQuestion, hasWaited: boolean, signal: AbortSignal): Promise<GateAnswer> {
    if (signal.aborted || cancelledSteps.has(signal)) return { verdict: 'cancelled', rule: 'turn:cancelled' }
    const now = hasWaited && waited.renew !== undefined ? await waited.renew() : waited
    if (signal.aborted) return { verdict: 'cancelled', rule: 'turn:cancelled' }
    if (now === undefined) return { verdict: 'deny', rule: 'call:outdated' }
    const question = { ...waited, ...now }
    const decision = rule(question)
    if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
    if (approver === undefined) return { verdict: 'deny', rule: unaskedRule }
    const { facts, siblings: _, renew: __, ...asked } = question
    const lasting = lastingOf(facts)
    const change = { changes: decision.changes, difference: lastingAnswers.differenceSince(decision.outdated, facts) }
    const answer = await askOnce(approver, { ...asked, plan: facts.plan, lasting, ...change }, signal, logger)
    if (signal.aborted) return { verdict: 'cancelled', rule: 'turn:cancelled' }
    if (answer.verdict === 'cancelled') {
      cancelledSteps.add(signal)
      return { verdict: 'cancelled', rule: 'person:cancelled' }
    }
    if (answer.from === 'nobody') return { verdict: 'deny', rule: unaskedRule }
    const scope = canLast(lasting, answer.verdict) ? answer.scope : 'once'
    await lastingAnswers.keep(question, { ...answer, scope }, lasting)
    const place = answer.from === undefined ? '' : `:${answer.from}`
    const args = answer.verdict === 'allow' ? answer.args : undefined
    return { verdict: answer.verdict, rule: `person:${answer.verdict}-${scope}${place}`, ...(args !== undefined && { args }) }
  }
}

/** The lasting answers: those of this session are here, the others are stored. */
function createLastingAnswers(grants: GrantStore, logger: Logger) {
  const ofSession: Grant[] = []
  return {
    list: (): readonly Grant[] => [...ofSession, ...storedGrants()],
    differenceSince,
    async keep(question: GateQuestion, answer: ScopedAnswer, lasting: Lasting): Promise<void> {
      if (answer.scope === 'once') return
      const given = toGrants(question, answer, lasting)
      if (given.every(({ scope }) => scope === 'session')) ofSession.push(...given)
      else await store(given)
    },
  }

  /** Unreadable grants allow nothing. */
  function storedGrants(): readonly Grant[] {
    try {
      return grants.list()
    } catch (error) {
      logger.warn('the stored grants cannot be read, so they are ignored', { error: messageOf(error) })
      return []
    }
  }

  /** A grant of this session still has its definition; for a stored grant, it is read again. */
  function differenceSince(outdated: Grant | undefined, { pin, definition }: CallFacts): string | null | undefined {
    if (outdated === undefined || definition === undefined || outdated.pin.definition === pin.definition) return undefined
    try {
      const before = 'id' in outdated ? grants.definitionOf((outdated as StoredGrant).id) : outdated.definition
      return before === undefined ? null : definitionDiff(before, definitionText(definition))
    } catch (error) {
      logger.debug('the earlier definition cannot be read', { error: messageOf(error) })
      return null
    }
  }

  /** An answer that cannot be stored still applies to this session. */
  async function store(given: readonly Grant[]): Promise<void> {
    try {
      await grants.add(given)
    } catch (error) {
      logger.warn('the answer could not be stored; it is valid for this session only', { error: messageOf(error) })
      ofSession.push(...given.map((grant) => ({ ...grant, scope: 'session' as const })))
    }
  }
}

/** Any failure to ask is a no. */
export async function askOnce(asked: Approver, question: ApprovalQuestion, signal: AbortSignal, logger: Logger): Promise<ApprovalAnswer> {
  try {
    return toClearAnswer(await orAborted(asked.ask(question, signal), signal, { verdict: 'cancelled' as const }))
  } catch (error) {
    if (!signal.aborted) logger.warn('the question could not be asked, so the call is denied', { error: messageOf(error) })
    return unasked
  }
}

function toGrants({ facts, siblings }: GateQuestion, { verdict, scope }: ScopedAnswer, lasting: Lasting): readonly Grant[] {
  const tools = scope === 'server' && lasting.type === 'tool' ? siblings() : [facts]
  const limits = {
    ...(lasting.type === 'command' && { command: lasting.command }),
    ...(lasting.type === 'folder' && { folder: lasting.folder }),
    // A lasting rejection of one page applies to all pages.
    ...(lasting.type === 'origin' && verdict === 'allow' && { origin: lasting.origin }),
  }
  // A folder outside the session's directories is allowed for the session only.
  const isForSession = scope === 'session' || lasting.type === 'folder'
  return tools.map(({ ref, pin, definition }) => {
    const text = definition && definitionText(definition)
    return { ref, pin, verdict, scope: isForSession ? 'session' : 'always', ...limits, ...(text !== undefined && { definition: text }) }
  })
}

const denied: ApprovalAnswer = { verdict: 'deny', scope: 'once' }
const unasked: ApprovalAnswer = { ...denied, from: 'nobody' }

/** A program without types may answer anything. Only a clear yes allows the call, and only a clear "always" lasts. */
function toClearAnswer(answer: unknown): ApprovalAnswer {
  if (!isRecord(answer)) return denied
  const { verdict, scope, args } = answer
  if (verdict === 'cancelled') return { verdict }
  if (verdict !== 'allow' && verdict !== 'deny') return denied
  if (answer['from'] === 'nobody') return unasked
  const from = answer['from'] === 'console' ? ({ from: 'console' } as const) : {}
  // The permission is for these arguments only.
  if (verdict === 'allow' && args !== undefined) return isRecord(args) ? { verdict, scope: 'once', args, ...from } : denied
  if (scope === 'session' || scope === 'always') return { verdict, scope, ...from }
  return verdict === 'allow' && scope === 'server' ? { verdict, scope, ...from } : { verdict, scope: 'once', ...from }
}

/** Only a whole tool can be rejected for longer than one call, because a command can be written in too many ways. */
function canLast({ type }: Lasting, verdict: 'allow' | 'deny'): boolean {
  return type === 'tool' || type === 'origin' || (verdict === 'allow' && type !== 'nothing')
}
