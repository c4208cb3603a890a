import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { runToolCall } from './run-tool-call.ts'
import type { Turn } from './turn.ts'

export const callsPerStepMax = 64

export interface StepCalls {
  readonly calls: readonly ToolCallPart[]
  /** Number of further calls in the answer. */
  readonly callsLeftOut: number
}

/**
 * Runs the calls of one step concurrently. Returns a result for each, in their order, because models reject a conversation that lacks one.
 */
export async function runToolCalls(
  turn: Turn,
  tools: ToolSet,
  { calls, callsLeftOut }: StepCalls,
  signal: AbortSignal,
): Promise<readonly ToolCallOutcome[]> {
  // Cancelling one question also cancels the step's other calls.
  const step = new AbortController()
  const stop = AbortSignal.any([signal, step.signal])
  const results = calls.map(async (call, index) => {
    if (isSliceOver()) await nextTurn()
    const refusal = index < callsPerStepMax ? undefined : tooMany(callsLeftOut)
    const result = await runToolCall(turn, tools, call, stop, refusal)
    if (result.outcome === 'cancelled') step.abort()
    return result
  })
  return Promise.all(results)
}

function tooMany(callsLeftOut: number): string {
  const others = callsLeftOut === 0 ? '' : ` Nor were the ${callsLeftOut} calls after it.`
  return `Not run: at most ${callsPerStepMax} tools can be called at once.${others} Call again with fewer.`
}
