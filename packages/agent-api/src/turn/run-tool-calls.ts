import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { refuseToolCall, runToolCall } from './run-tool-call.ts'
import type { Turn } from './turn.ts'

const callsPerStepMax = 64

/** Runs the calls of one step side by side. Every call gets a result, in the order of the calls: a model refuses a conversation where one is missing. */
export async function runToolCalls(
  turn: Turn,
  tools: ToolSet,
  calls: readonly ToolCallPart[],
  signal: AbortSignal,
): Promise<readonly ToolCallOutcome[]> {
  // A person who cancels one question does not want the others asked or run.
  const step = new AbortController()
  const stop = AbortSignal.any([signal, step.signal])
  const results = calls.map(async (call, index) => {
    const run = index < callsPerStepMax ? runToolCall(turn, tools, call, stop) : refuseToolCall(turn, tools, call, tooMany)
    const result = await run
    if (result.outcome === 'cancelled') step.abort()
    return result
  })
  return Promise.all(results)
}

const tooMany = `Not run: at most ${callsPerStepMax} tools can be called at once. Call it again by itself.`
