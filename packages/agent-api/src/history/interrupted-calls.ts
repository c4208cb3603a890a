import type { Statements } from './statements.ts'
import { hasEnded } from './process-mark.ts'

const open = `SELECT DISTINCT process FROM tool_calls WHERE status IN ('pending', 'running')`
const interrupt = `UPDATE tool_calls SET status = 'interrupted', ended_at = ?, error = ?
  WHERE status IN ('pending', 'running') AND process = ?`

export const interruptedText = 'Ostler ended before this call did. It may have run.'

/** Calls whose process is no more have no other end than this. */
export function markInterrupted(statements: Statements): void {
  const dead = statements.all(open).flatMap(({ process }) => (typeof process === 'string' && hasEnded(process) ? [process] : []))
  for (const process of dead) statements.run(interrupt, new Date().toISOString(), interruptedText, process)
}
