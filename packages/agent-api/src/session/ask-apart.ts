import { messageOf } from '../base/errors.ts'
import { createToolCallId } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Answer } from '../messages/question.ts'
import { errorResult, textResult, type ToolArguments, type ToolKind, type ToolRef } from '../messages/tool.ts'
import { ruleOf, type ApprovalQuestion, type Ask } from '../policy/question.ts'
import type { CallRecorder } from '../state/calls/call.ts'
import { recorded } from '../state/calls/recorded.ts'

interface Apart extends Pick<ApprovalQuestion, 'plan' | 'lasting' | 'changes' | 'difference'> {
  /** Under its tool, the history and the grants store the answer. */
  readonly ref: ToolRef
  readonly title: string
  readonly kind: ToolKind
  readonly args: ToolArguments
}

export type Allowed = Extract<Answer, { verdict: 'allow' }>

export interface AskApartOptions {
  readonly ask: Ask
  readonly calls: () => CallRecorder
  readonly logger: Logger
}

/**
 * Asks a question to which no call belongs, and records it as a call of its own. `keep` runs after a yes; what it throws is logged, and
 * there is no answer then.
 */
export async function askApart(
  { ask, calls, logger }: AskApartOptions,
  { ref, title, kind, args, ...facts }: Apart,
  signal: AbortSignal,
  keep: (answer: Allowed) => Promise<void>,
): Promise<Answer | undefined> {
  const { server, tool } = ref
  const id = createToolCallId()
  const call = { id, ref, wireName: tool, title, kind, rawInput: args, locations: [] }
  const question = {
    kind: 'call',
    call,
    ref,
    args: facts.plan === undefined ? args : {},
    ...facts,
    isApart: true,
  } as const
  const outcome = await recorded(calls(), { id, server, tool, arguments: args }, async (row) => {
    const answer = await ask(question, signal)
    const isYes = answer.verdict === 'allow'
    const rule = ruleOf(question, isYes ? answer : { verdict: 'deny', from: answer.from })
    row.decided(isYes ? 'allow' : 'deny', rule)
    if (!isYes) {
      const why = rule.by === 'no-approver' ? 'Nobody could be asked.' : 'The person did not allow it.'
      return { answer, outcome: 'denied', result: errorResult(why) }
    }
    // All of its time was the wait for the answer.
    row.running()
    await keep(answer)
    return { answer, outcome: 'success', result: textResult('The person allowed it.') }
  }).catch((error: unknown) => {
    logger.warn(`${server === null ? '' : `MCP server ${server}: `}the answer could not be stored`, {
      error: messageOf(error),
    })
  })
  return outcome?.answer
}
