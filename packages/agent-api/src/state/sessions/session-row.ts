import type { SessionId } from '../../base/ids.ts'
import type { SessionSummary } from './session-entry.ts'
import type { Statements } from '../db/statements.ts'

const insert = `INSERT OR IGNORE INTO sessions (id, agent, cwd, directories, title, model, mode, thought_level, turns, created_at, opened_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const selectTimes = 'SELECT turns, updated_at AS updatedAt FROM sessions WHERE id = ?'
const touch = 'UPDATE sessions SET turns = max(turns, ?), updated_at = ? WHERE id = ?'
const update =
  'UPDATE sessions SET directories = ?, title = ?, model = ?, mode = ?, thought_level = ? WHERE id = ?'
const reopen = 'UPDATE sessions SET opened_at = ?, directories = ? WHERE id = ?'
const deleteTurn = 'DELETE FROM messages WHERE session_id = ? AND turn = ?'
const deleteOffers = `DELETE FROM tool_offers WHERE session_id = ? AND turn = ?
  AND NOT EXISTS (SELECT 1 FROM tool_calls WHERE session_id = tool_offers.session_id AND turn = tool_offers.turn)`
// The number of a turn that has calls is not used again: its calls stay in the history.
const untouch = `UPDATE sessions SET updated_at = ?,
  turns = turns - (NOT EXISTS (SELECT 1 FROM tool_calls WHERE session_id = sessions.id AND turn = sessions.turns))
  WHERE id = ? AND turns = ?`

export type SessionTimes = Pick<SessionSummary, 'turns' | 'updatedAt'>

export function insertSession(statements: Statements, row: SessionSummary): void {
  const { id, agent, cwd, turns, createdAt } = row
  statements.run(
    insert,
    id,
    agent,
    cwd,
    ...settingsOf(row),
    turns,
    createdAt,
    new Date().toISOString(),
    createdAt,
  )
}

export function updateSettings(statements: Statements, row: SessionSummary): void {
  statements.run(update, ...settingsOf(row), row.id)
}

/** In the order of the columns. */
function settingsOf({ additionalDirectories, title, model, mode, thoughtLevel }: SessionSummary) {
  return [JSON.stringify(additionalDirectories), title, model, mode, thoughtLevel] as const
}

/** A session may be reopened with other directories. */
export function noteReopened(statements: Statements, { id, additionalDirectories }: SessionSummary): void {
  statements.run(reopen, new Date().toISOString(), JSON.stringify(additionalDirectories), id)
}

export function readTimes(statements: Statements, id: SessionId): SessionTimes | undefined {
  const row = statements.get(selectTimes, id)
  return row && { turns: Number(row['turns']), updatedAt: String(row['updatedAt']) }
}

/** Returns false if the row does not exist. */
export function touchSession(statements: Statements, { id, turns, updatedAt }: SessionSummary): boolean {
  return statements.run(touch, turns, updatedAt, id) > 0
}

/** Deletes the last turn. Nothing else changes if another process has begun one since. */
export function forgetTurn(
  statements: Statements,
  { id, turns }: SessionSummary,
  updatedBefore: string,
): void {
  statements.run(deleteTurn, id, turns)
  statements.run(deleteOffers, id, turns)
  statements.run(untouch, updatedBefore, id, turns)
}
