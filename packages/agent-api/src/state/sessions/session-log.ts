import type { Strike } from '../../base/clean-text.ts'
import { isRecord } from '../../base/is-record.ts'
import { mergeChunks, mergeCutOffTurns } from './merge-chunks.ts'
import type { Write } from '../db/backlog.ts'
import type { Journal } from '../db/journal.ts'
import type { SessionEntry, SessionLog, SessionSummary } from './session-entry.ts'
import { isMissingParent } from '../db/sqlite-error.ts'
import type { Statements } from '../db/statements.ts'
import type { SessionId } from '../../base/ids.ts'

interface SessionLogOptions {
  readonly journal: Journal
  readonly strike: Strike
  readonly session: SessionSummary
  readonly isStored: boolean
  /** The row of an open session is written again if another process deletes it. */
  readonly isOpen: () => boolean
}

/** Used by the call recorder to write a deleted session again. */
export interface OpenSessionLog extends SessionLog {
  /** Writes the row and the current turn again. Returns false if the session is over. */
  restore(statements: Statements): boolean
}

/** A part that the rest of the turn needs: the prompt, a message, or the beginning of a call. */
interface TurnPart {
  readonly turn: number
  readonly kind: StoredKind
  readonly value: unknown
  isWritten: boolean
}

type StoredKind = Exclude<SessionEntry['kind'], 'change'>

const insertEntry = 'INSERT INTO messages (session_id, turn, kind, body) VALUES (?, ?, ?, ?)'

export function createSessionLog({
  journal,
  strike,
  session,
  isStored,
  isOpen,
}: SessionLogOptions): OpenSessionLog {
  const { id } = session
  let row = session
  let updatedBefore = session.updatedAt
  let partsOfTurn: TurnPart[] = []
  let generation = isStored ? journal.generation : undefined
  write((statements) => {
    if (isStored) noteReopened(statements, session)
  })

  return {
    get session() {
      return row
    },
    beginTurn(content) {
      const stored = storedTimes()
      updatedBefore = stored.updatedAt
      partsOfTurn = []
      const begun = change({ turns: Math.max(row.turns, stored.turns) + 1, updatedAt: now() })
      write((statements) => {
        if (!touchSession(statements, begun) && restore(statements)) touchSession(statements, begun)
      })
      append('prompt', content)
    },
    event(event) {
      append('event', event)
      if (event.type !== 'turn_end') return
      const ended = change({ updatedAt: now() })
      write((statements) => {
        mergeChunks(statements, strike, id, ended.turns)
        touchSession(statements, ended)
      })
    },
    message: (message) => append('message', message),
    // Stored in order with the messages it changes, as a kind of message.
    change: (change) => append('message', { role: 'context', change }),
    mergeCutOffTurns: () => write((statements) => mergeCutOffTurns(statements, strike, id)),
    forgetTurn() {
      const forgotten = row
      const { updatedAt } = change({ turns: row.turns - 1, updatedAt: updatedBefore })
      partsOfTurn = []
      write((statements) => forgetTurn(statements, forgotten, updatedAt))
    },
    set({ title, ...settings }) {
      const changed = change({ ...settings, ...(title !== undefined && { title: strike(title) }) })
      write((statements) => updateSettings(statements, changed))
    },
    restore,
  }

  function change(changes: Partial<SessionSummary>): SessionSummary {
    row = { ...row, ...changes }
    return row
  }

  /** Another process may have the same session open: its turns must not be mixed with those of this one. */
  function storedTimes(): SessionTimes {
    try {
      return journal.read((statements) => readTimes(statements, id)) ?? row
    } catch {
      return row
    }
  }

  function append(kind: StoredKind, value: unknown): void {
    const body = toBody(value)
    const part = { turn: row.turns, kind, value, isWritten: false }
    if (kind !== 'event' || (isRecord(value) && value['type'] === 'tool_call')) partsOfTurn.push(part)
    write((statements) => {
      const insertPart = () => statements.run(insertEntry, id, part.turn, kind, body)
      try {
        insertPart()
      } catch (error) {
        if (!isMissingParent(error) || !restore(statements)) throw error
        insertPart()
      }
      part.isWritten = true
    }, body.length)
  }

  function toBody(value: unknown): string {
    return JSON.stringify(strike(value))
  }

  function write(work: Write, bytes?: number): void {
    journal.write((statements) => {
      ensureRow(statements)
      work(statements)
    }, bytes)
  }

  /** A new session has no row yet. Neither has any session in a database that was replaced. */
  function ensureRow(statements: Statements): void {
    if (generation !== journal.generation && !restore(statements)) insertSession(statements, row)
    generation = journal.generation
  }

  function restore(statements: Statements): boolean {
    if (!isOpen()) return false
    statements.transaction(() => {
      insertSession(statements, row)
      for (const { turn, kind, value, isWritten } of partsOfTurn)
        if (isWritten) statements.run(insertEntry, id, turn, kind, toBody(value))
    })
    generation = journal.generation
    return true
  }
}

function now(): string {
  return new Date().toISOString()
}

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

type SessionTimes = Pick<SessionSummary, 'turns' | 'updatedAt'>

function insertSession(statements: Statements, row: SessionSummary): void {
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

function updateSettings(statements: Statements, row: SessionSummary): void {
  statements.run(update, ...settingsOf(row), row.id)
}

function settingsOf({ additionalDirectories, title, model, mode, thoughtLevel }: SessionSummary) {
  return [JSON.stringify(additionalDirectories), title, model, mode, thoughtLevel] as const
}

/** A session may be reopened with other directories. */
function noteReopened(statements: Statements, { id, additionalDirectories }: SessionSummary): void {
  statements.run(reopen, new Date().toISOString(), JSON.stringify(additionalDirectories), id)
}

function readTimes(statements: Statements, id: SessionId): SessionTimes | undefined {
  const row = statements.get(selectTimes, id)
  return row && { turns: Number(row['turns']), updatedAt: String(row['updatedAt']) }
}

/** False if the row does not exist. */
function touchSession(statements: Statements, { id, turns, updatedAt }: SessionSummary): boolean {
  return statements.run(touch, turns, updatedAt, id) > 0
}

/** Deletes the last turn. Nothing else changes if another process has begun one since. */
function forgetTurn(statements: Statements, { id, turns }: SessionSummary, updatedBefore: string): void {
  statements.run(deleteTurn, id, turns)
  statements.run(deleteOffers, id, turns)
  statements.run(untouch, updatedBefore, id, turns)
}
