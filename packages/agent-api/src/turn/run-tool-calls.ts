import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { refuseToolCall, runToolCall } from './run-tool-call.ts'
import type { Turn } from './turn.ts'

export const callsPerStepMax = 64

export interface StepCalls {
  readonly calls: readonly ToolCallPart[]
  /** So many more were in the answer. */
  readonly callsLeftOut: number
}

/** Runs the calls of one step side by side. Every call gets a result, in the order of the calls: a model refuses a conversation where one is missing. */
export async function runToolCalls(
  turn: Turn,
  tools: ToolSet,
  { calls, callsLeftOut }: StepCalls,
  signal: AbortSignal,
): Promise<readonly ToolCallOutcome[]> {
  // A person who cancels one question does not want the others asked or run.
  const step = new AbortController()
  const stop = AbortSignal.any([signal, step.signal])
  const results = calls.map(async (call, index) => {
    if (isSliceOver()) await nextTurn()
    const result =
      index < callsPerStepMax
        ? await runToolCall(turn, tools, call, stop)
        : await refuseToolCall(turn, tools, call, tooMany(callsLeftOut), stop)
    if (result.outcome === 'cancelled') step.abort()
    return result
  })
  return Promise.all(results)
}

function tooMany(callsLeftOut: number): string {
  const others = callsLeftOut === 0 ? '' : ` Nor were the ${callsLeftOut} calls after it.`
  return `Not run: at most ${callsPerStepMax} tools can be called at once.${others} Call again with fewer.`
}
