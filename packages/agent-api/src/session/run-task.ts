import { errorResult, type ToolCallContext, type ToolResult } from '../messages/tool.ts'
import type { Turn } from '../turn/turn.ts'
import type { SessionState } from './session-state.ts'
import { createTurnTools } from './turn-tools.ts'

/** Limit on the delegated tasks of one turn. */
const tasksMax = 20
const tasksOf = new WeakMap<Turn, number>()

/** Runs a task that the model of the running turn delegates. */
export async function runTask(state: SessionState, turn: Turn | undefined, task: string, context: ToolCallContext): Promise<ToolResult> {
  if (turn === undefined) return errorResult('No prompt is being answered.')
  const tasks = (tasksOf.get(turn) ?? 0) + 1
  if (tasks > tasksMax) return errorResult(`Not run: at most ${tasksMax} tasks can be delegated while one prompt is answered.`)
  tasksOf.set(turn, tasks)
  const { runDelegated } = await import('../turn/run-delegated.ts')
  return runDelegated(turn, createTurnTools(state, turn.model, task), task, context)
}
