import { markInterrupted } from './calls/interrupted-calls.ts'
import { emptyLog, sweepLiveServers } from './presence/live-servers.ts'
import type { Journal } from './db/journal.ts'
import { fateOf } from './presence/process-mark.ts'
import type { Statements } from './db/statements.ts'

const owners = `SELECT process FROM tool_calls WHERE status IN ('pending', 'running')
  UNION SELECT process FROM live_servers UNION SELECT process FROM open_sessions UNION SELECT process FROM questions`

/** Ends what processes have left open that no longer exist: calls, live servers, sessions and questions. */
export function endLeftOpen(journal: Journal): void {
  journal.write(markInterrupted)
  journal.write((statements) => {
    if (sweepLiveServers(statements)) void emptyLog(journal)
  })
}

/** True if a process that no longer exists has left something open. Only reads. */
export function hasLeftOpen(statements: Statements): boolean {
  return statements.all(owners).some(({ process }) => fateOf(String(process)) === 'ended')
}
