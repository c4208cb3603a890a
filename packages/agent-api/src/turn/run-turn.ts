import type { ToolCallPart } from '../messages/message.ts'
import type { StopReason } from '../messages/turn-event.ts'
import { answerStep } from './answer-step.ts'
import { createLoopGuard } from './loop-guard.ts'
import { runToolCalls } from './run-tool-calls.ts'
import type { Turn } from './turn.ts'

/** Asks the model and runs its calls, until it makes no more calls. An aborted signal ends the turn as `cancelled`. */
export async function runTurn(turn: Turn, signal: AbortSignal): Promise<StopReason> {
  const guard = createLoopGuard()
  for (let step = 0; step < turn.settings.stepsMax; step++) {
    const tools = await turn.tools.next()
    const reply = await answerStep(turn, tools, signal)
    if (reply.message.parts.length > 0) turn.conversation.add(reply.message)
    if (signal.aborted) return 'cancelled'
    const calls = reply.message.parts.filter((part): part is ToolCallPart => part.type === 'tool_call')
    if (calls.length === 0) return reply.stopReason
    const results = await runToolCalls(turn, tools, { calls, callsLeftOut: reply.callsLeftOut }, signal)
    turn.conversation.add({ role: 'tool', results })
    if (signal.aborted || results.some((result) => result.outcome === 'cancelled')) return 'cancelled'
    if (guard.isLooping(calls, results)) return 'max_turn_requests'
  }
  return 'max_turn_requests'
}
