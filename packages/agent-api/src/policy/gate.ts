import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import {
  decide,
  lastingOf,
  type Approval,
  type CallFacts,
  type Decision,
  type Grant,
  type Lasting,
} from './approval.ts'
import type { ApprovalMode } from './approval-mode.ts'
import { definitionDiff, definitionText } from './always-allow/definition-text.ts'
import type { ToolArguments } from '../messages/tool.ts'
import type { GrantStore, StoredGrant } from './always-allow/grant.ts'
import type { Answer } from '../messages/question.ts'
import { ruleOf, type ApprovalQuestion, type Ask } from './question.ts'
import type { Rule } from './decision-rule.ts'
import { createQuestionQueue } from './question-queue.ts'

interface GateAnswer {
  readonly verdict: 'allow' | 'deny' | 'cancelled'
  readonly rule: Rule
  /** Set if the person has changed the arguments. */
  readonly args?: ToolArguments
}

export interface GateQuestion extends Omit<
  ApprovalQuestion,
  'warning' | 'changes' | 'difference' | 'plan' | 'lasting'
> {
  readonly facts: CallFacts
  /** All tools of the same server, including this one, for an answer about all of them. */
  readonly siblings: () => readonly Pick<CallFacts, 'ref' | 'pin' | 'definition'>[]
  /**
   * Called before a question that waited for others, because the effect of the call may have changed. Returns
   * undefined if the call can no longer work.
   */
  readonly renew?: () => Promise<Pick<GateQuestion, 'call' | 'facts'> | undefined>
}

/** Every call passes the gate: first the rules, then the person. */
export interface Gate {
  pass(question: GateQuestion, signal: AbortSignal): Promise<GateAnswer>
  /** Asks nobody. */
  decide(facts: CallFacts): Decision
  /** The lasting answers: those of this session, and the stored ones. */
  grants(): readonly Grant[]
}

export interface GateOptions {
  /** Read for each call: the person may change it. */
  readonly mode: () => ApprovalMode
  readonly approval: Omit<Approval, 'mode'>
  /** True if the settings put commands in a sandbox in every mode. */
  readonly hasSandbox: boolean
  readonly grants: GrantStore
  /** Undefined if nobody can be asked. */
  readonly ask: Ask | undefined
  readonly logger: Logger
}

type GivenAnswer = Exclude<Answer, { verdict: 'cancelled' }>

const autoWarning =
  'In the mode “Auto”, commands run without a question and without a sandbox: they can do whatever you can.'

export function createGate({ mode, approval, hasSandbox, grants, ask, logger }: GateOptions): Gate {
  const lastingAnswers = createLastingAnswers(grants, logger)
  const inTurn = createQuestionQueue()
  /** Steps in which the person cancelled a question. This also cancels other questions of the same step. */
  const cancelledSteps = new WeakSet<AbortSignal>()
  let isWarned = hasSandbox

  return {
    async pass(question, signal) {
      const decision = decisionOnQuestion(question)
      if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
      return inTurn((hasWaited) => askUnlessDecided(question, hasWaited, signal))
    },
    decide: (facts) => decisionOn({ facts }),
    grants: lastingAnswers.list,
  }

  /** Once per session. */
  function findWarning(): string | undefined {
    if (isWarned || mode() !== 'auto') return undefined
    isWarned = true
    return autoWarning
  }

  /** The person asked for the undo. Only a file that has changed since needs a question, which shows what would be lost. */
  function decisionOnQuestion(question: GateQuestion): Decision {
    if (question.kind === 'call') return decisionOn(question)
    return question.call.content === undefined
      ? { verdict: 'allow', rule: { by: 'restore', how: 'unchanged' } }
      : { verdict: 'ask', rule: { by: 'restore', how: 'changed' } }
  }

  function decisionOn({ facts }: Pick<GateQuestion, 'facts'>): Decision {
    return decide({ ...approval, mode: mode(), grants: lastingAnswers.list() }, facts)
  }

  async function askUnlessDecided(
    waited: GateQuestion,
    hasWaited: boolean,
    signal: AbortSignal,
  ): Promise<GateAnswer> {
    if (signal.aborted || cancelledSteps.has(signal))
      return { verdict: 'cancelled', rule: { by: 'turn', how: 'cancelled' } }
    const now = hasWaited && waited.renew !== undefined ? await waited.renew() : waited
    if (signal.aborted) return { verdict: 'cancelled', rule: { by: 'turn', how: 'cancelled' } }
    if (now === undefined) return { verdict: 'deny', rule: { by: 'call', how: 'outdated' } }
    const question = { ...waited, ...now }
    const decision = decisionOnQuestion(question)
    if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
    if (ask === undefined) return { verdict: 'deny', rule: { by: 'no-approver' } }
    const { facts, siblings: _, renew: __, ...about } = question
    const lasting = question.kind === 'call' ? lastingOf(facts) : ({ type: 'nothing' } as const)
    const asked = {
      ...about,
      plan: facts.plan,
      lasting,
      warning: findWarning(),
      changes: decision.changes,
      difference: lastingAnswers.differenceSince(decision.outdated, facts),
    }
    const answer = await ask(asked, signal)
    if (signal.aborted) return { verdict: 'cancelled', rule: { by: 'turn', how: 'cancelled' } }
    const { verdict } = answer
    const rule = ruleOf(asked, answer)
    if (verdict === 'cancelled') {
      cancelledSteps.add(signal)
      return { verdict, rule }
    }
    await lastingAnswers.keep(question, answer, lasting)
    const args = verdict === 'allow' ? answer.values : undefined
    return { verdict, rule, args }
  }
}

/** Answers for this session are here, the others are stored. */
function createLastingAnswers(grants: GrantStore, logger: Logger) {
  const ofSession: Grant[] = []
  return {
    list: (): readonly Grant[] => [...ofSession, ...storedGrants()],
    differenceSince,
    async keep(question: GateQuestion, answer: GivenAnswer, lasting: Lasting): Promise<void> {
      if (answer.scope === undefined || answer.scope === 'once') return
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
  function differenceSince(
    outdated: Grant | undefined,
    { pin, definition }: CallFacts,
  ): string | null | undefined {
    if (outdated === undefined || definition === undefined || outdated.pin.definition === pin.definition)
      return undefined
    try {
      const before =
        'id' in outdated ? grants.definitionOf((outdated as StoredGrant).id) : outdated.definition
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
      logger.warn('the answer could not be stored; it is valid for this session only', {
        error: messageOf(error),
      })
      ofSession.push(...given.map((grant) => ({ ...grant, scope: 'session' as const })))
    }
  }
}

function toGrants(
  { facts, siblings }: GateQuestion,
  { verdict, scope }: GivenAnswer,
  lasting: Lasting,
): readonly Grant[] {
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
    return {
      ref,
      pin,
      verdict,
      scope: isForSession ? 'session' : 'always',
      ...limits,
      ...(text !== undefined && { definition: text }),
    }
  })
}
