import { isSliceOver, nextTurn } from '../base/in-slices.ts'
import type { ToolCallOutcome, ToolCallPart } from '../messages/message.ts'
import type { Gate } from '../policy/gate.ts'
import type { ToolSet } from '../tools/tool-set.ts'
import { runToolCall } from './run-tool-call.ts'
import type { Turn } from './turn.ts'

export const callsPerStepMax = 64

interface StepCalls {
  readonly calls: readonly ToolCallPart[]
  readonly callsLeftOut: number
}

/** Returns a result for each call, in their order, because models reject a conversation that lacks one. */
export async function runToolCalls(
  turn: Turn,
  tools: ToolSet,
  { calls, callsLeftOut }: StepCalls,
  signal: AbortSignal,
): Promise<readonly ToolCallOutcome[]> {
  // Cancelling one question also cancels the step's other calls.
  const step = new AbortController()
  const stop = AbortSignal.any([signal, step.signal])
  const nextGate = createGatesInOrder(turn.person.gate)
  const results = calls.map(async (call, index) => {
    const { gate, leave } = nextGate()
    try {
      if (isSliceOver()) await nextTurn()
      const refusal = index < callsPerStepMax ? undefined : tooMany(callsLeftOut)
      const ports = { ...turn, person: { ...turn.person, gate } }
      const result = await runToolCall(ports, tools, call, stop, refusal)
      if (result.outcome === 'cancelled') step.abort()
      return result
    } finally {
      leave()
    }
  })
  return Promise.all(results)
}

/** A gate for each call. Questions come in the order of the calls, however long each was planned. A call without a question does not wait. */
function createGatesInOrder(gate: Turn['person']['gate']) {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const earlier = last
    const { promise, resolve: leave } = Promise.withResolvers<void>()
    last = Promise.all([earlier, promise])
    const pass: Gate['pass'] = async (question, signal) => {
      if (gate.decide(question.facts).verdict === 'ask') await earlier
      // From here on, the question has its place in the queue.
      const answer = gate.pass(question, signal)
      leave()
      return answer
    }
    return { gate: { pass }, leave }
  }
}

function tooMany(callsLeftOut: number): string {
  const others = callsLeftOut === 0 ? '' : ` Nor were the ${callsLeftOut} calls after it.`
  return `Not run: at most ${callsPerStepMax} tools can be called at once.${others} Call again with fewer.`
}
