import { messageOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { orAborted } from '../or-aborted.ts'
import { decide, type ApprovalMode, type Decision, type SessionGrant } from './approval.ts'
import type { ApprovalAnswer, ApprovalQuestion, Approver } from './approver.ts'

/** What became of a question; `rule` names what decided. */
export type GateAnswer = { readonly verdict: 'allow' | 'deny' | 'cancelled'; readonly rule: string }

export interface GateQuestion extends ApprovalQuestion {
  readonly isQuestion: boolean
}

/** The one door every call passes: rules first, then the person. */
export interface Gate {
  mode: ApprovalMode
  pass(question: GateQuestion, signal: AbortSignal): Promise<GateAnswer>
}

export interface GateOptions {
  readonly mode: ApprovalMode
  readonly approver: Approver | undefined
  readonly logger: Logger
}

export function createGate({ mode, approver, logger }: GateOptions): Gate {
  const grants: SessionGrant[] = []
  let lastQuestion: Promise<unknown> = Promise.resolve()

  const gate: Gate = {
    mode,
    async pass(question, signal) {
      const decision = rule(question)
      if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
      // One question at a time: an "always" given to the first of several calls spares the person the others.
      const answer = lastQuestion.then(() => askUnlessDecided(question, signal))
      lastQuestion = answer
      return answer
    },
  }

  function rule(question: GateQuestion): Decision {
    return decide({ mode: gate.mode, grants }, question)
  }

  async function askUnlessDecided(question: GateQuestion, signal: AbortSignal): Promise<GateAnswer> {
    if (signal.aborted) return { verdict: 'cancelled', rule: 'turn:cancelled' }
    const decision = rule(question)
    if (decision.verdict !== 'ask') return { verdict: decision.verdict, rule: decision.rule }
    if (approver === undefined) return { verdict: 'deny', rule: 'no-approver' }
    const answer = await askOnce(approver, question, signal)
    if (signal.aborted) return { verdict: 'cancelled', rule: 'turn:cancelled' }
    if (answer.verdict === 'cancelled') return { verdict: 'cancelled', rule: 'person:cancelled' }
    if (answer.scope === 'session') grants.push({ ref: question.ref, verdict: answer.verdict })
    return { verdict: answer.verdict, rule: `person:${answer.verdict}-${answer.scope}` }
  }

  /** Whatever goes wrong with the question, the answer is no. */
  async function askOnce(asked: Approver, question: GateQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      return await orAborted(asked.ask(question, signal), signal, { verdict: 'cancelled' as const })
    } catch (error) {
      if (!signal.aborted) logger.warn('the question could not be asked, so the call is refused', { error: messageOf(error) })
      return { verdict: 'deny', scope: 'once' }
    }
  }

  return gate
}
