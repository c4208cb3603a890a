import type { Journal } from './db/journal.ts'
import { emptyLog, securelyDeleting } from './db/secure-delete.ts'
import type { Row, Statements } from './db/statements.ts'
import { textOfInterrupted } from './calls/call.ts'
import { indexCall } from './calls/call-search-index.ts'
import { fateOf, hasEnded } from './presence/process-mark.ts'

/**
 * Ends whatever a killed process has left open: its calls become `interrupted`, and the rows of its servers,
 * sessions and questions are removed. The next process that opens the state does this, and every list leaves
 * them out until then.
 */
export function endLeftOpen(journal: Journal): void {
  journal.write(markInterrupted)
  journal.write((statements) => {
    if (removePresence(statements)) void emptyLog(journal)
  })
}

const ofCalls = `SELECT process FROM tool_calls WHERE status IN ('pending', 'running')`
const ofPresence =
  'SELECT process FROM live_servers UNION SELECT process FROM open_sessions UNION SELECT process FROM questions'

/** Only reads. */
export function hasLeftOpen(statements: Statements): boolean {
  return statements.all(`${ofCalls} UNION ${ofPresence}`).some(hasEnded)
}

function removePresence(statements: Statements): boolean {
  const ended = statements.all(ofPresence).filter(hasEnded)
  if (ended.length === 0) return false
  securelyDeleting(statements, () => {
    for (const table of ['live_servers', 'open_sessions', 'questions'])
      for (const { process } of ended)
        statements.run(`DELETE FROM ${table} WHERE process = ?`, String(process))
  })
  return true
}

const selectOpen = `SELECT seq, agent, session_id AS sessionId, server, tool, arguments, status FROM tool_calls JOIN tool_call_bodies USING (seq)
  WHERE status IN ('pending', 'running') AND process = ? AND started_at < ?`
const interrupt = `UPDATE tool_calls SET status = 'interrupted', ended_at = ?, error = ? WHERE seq = ? AND status IN ('pending', 'running')`

/** After this time, a process that cannot be observed from here has either ended the call or has itself ended. */
const unseenMsMax = 2 * 24 * 60 * 60 * 1_000

export function markInterrupted(statements: Statements): void {
  for (const process of new Set(statements.all(ofCalls).map((row) => String(row['process'])))) {
    const fate = fateOf(process)
    if (fate === 'living') continue
    // `~` sorts after every time: the clock of that process may have been ahead.
    const startedBefore = fate === 'ended' ? '~' : new Date(Date.now() - unseenMsMax).toISOString()
    for (const row of statements.all(selectOpen, process, startedBefore))
      statements.transaction(() => markOne(statements, row))
  }
}

function markOne(
  statements: Statements,
  { seq, agent, sessionId, server, tool, arguments: args, status }: Row,
): void {
  const text = textOfInterrupted(status === 'running')
  if (statements.run(interrupt, new Date().toISOString(), text, Number(seq)) === 0) return
  const facets = {
    agent: String(agent),
    sessionId: textOf(sessionId),
    server: textOf(server),
    tool: String(tool),
    status: 'interrupted',
  } as const
  indexCall(statements, Number(seq), facets, [String(args), text])
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
