import type { SessionId, ToolCallId } from '../../base/ids.ts'
import { indexCall } from './call-words.ts'
import { fateOf } from '../presence/process-mark.ts'
import type { Row, Statements } from '../db/statements.ts'

const processes = `SELECT DISTINCT process FROM tool_calls WHERE status IN ('pending', 'running')`
const open = `SELECT seq, agent, session_id AS sessionId, server, tool, arguments, status FROM tool_calls JOIN tool_call_bodies USING (seq)
  WHERE status IN ('pending', 'running') AND process = ? AND started_at < ?`
const interrupt = `UPDATE tool_calls SET status = 'interrupted', ended_at = ?, error = ? WHERE seq = ? AND status IN ('pending', 'running')`

export function textOfInterrupted(hasRun: boolean): string {
  return hasRun
    ? 'Ostler ended before this call did. It may have run.'
    : 'Ostler ended before this call started. Nothing was run.'
}

/** After this time, a process that cannot be observed from here has either ended the call or has itself ended. */
const unseenMsMax = 2 * 24 * 60 * 60 * 1_000

export function listOpenCalls(statements: Statements, sessionId: SessionId): ReadonlySet<ToolCallId> {
  const sql = `SELECT id, process FROM tool_calls WHERE status IN ('pending', 'running') AND session_id = ?`
  const rows = statements.all(sql, sessionId).filter(({ process }) => fateOf(String(process)) !== 'ended')
  return new Set(rows.map(({ id }) => String(id)))
}

/** Ends the open calls of processes that no longer exist. */
export function markInterrupted(statements: Statements): void {
  for (const { process } of statements.all(processes)) {
    const fate = fateOf(String(process))
    if (fate === 'living') continue
    const before = new Date(Date.now() - (fate === 'unseen' ? unseenMsMax : 0))
    // `~` sorts after every time: the clock of that process may have been ahead.
    const startedBefore = fate === 'ended' ? '~' : before.toISOString()
    for (const row of statements.all(open, String(process), startedBefore))
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
