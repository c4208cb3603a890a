import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { errorResult } from '../tools/tool.ts'
import { runToolCall } from './run-tool-call.ts'
import type { Turn } from './turn.ts'

const callsPerStepMax = 64

/** Runs the calls of one step side by side. Every call gets a result, in the order of the calls: a model refuses a conversation where one is missing. */
export async function runToolCalls(
  turn: Turn,
  tools: ToolSet,
  calls: readonly ToolCallPart[],
  signal: AbortSignal,
): Promise<readonly ToolCallOutcome[]> {
  const running = calls.slice(0, callsPerStepMax).map((call) => runToolCall(turn, tools, call, signal))
  const refused = calls.slice(callsPerStepMax).map(({ id, wireName }): ToolCallOutcome => {
    const result = errorResult(`Not run: at most ${callsPerStepMax} tools can be called at once. Call it again by itself.`)
    return { id, wireName, outcome: 'invalid', result }
  })
  return [...(await Promise.all(running)), ...refused]
}
