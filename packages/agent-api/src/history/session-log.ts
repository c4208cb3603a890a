import { isRecord } from '../base/is-record.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import { mergeChunks, mergeCutOffTurns } from './merge-chunks.ts'
import type { Write } from './backlog.ts'
import type { Journal } from './journal.ts'
import type { SessionEntry, SessionLog, SessionSummary } from './session-entry.ts'
import { isMissingParent } from './sqlite-error.ts'
import type { Statements } from './statements.ts'

export interface SessionLogOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly session: SessionSummary
  /** Whether the session has a row already. */
  readonly isStored: boolean
  /** One that is open goes on being kept when somebody else deletes it. */
  readonly isOpen: () => boolean
}

/** What only those know who keep more of a session than the log does. */
export interface OpenSessionLog extends SessionLog {
  /** Writes the session anew where its row is gone. False when the session is over. */
  restore(statements: Statements): boolean
}

/** What the rest of a turn cannot be understood without: what was asked, what the model read, and the calls that were begun. */
interface TurnPart {
  readonly turn: number
  readonly kind: SessionEntry['kind']
  readonly value: unknown
  isWritten: boolean
}

const insertSession = `INSERT OR IGNORE INTO sessions (id, agent, cwd, directories, title, model, mode, turns, created_at, opened_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const insertEntry = 'INSERT INTO messages (session_id, turn, kind, body) VALUES (?, ?, ?, ?)'
const selectTimes = 'SELECT turns, updated_at AS updatedAt FROM sessions WHERE id = ?'
const touch = 'UPDATE sessions SET turns = max(turns, ?), updated_at = ? WHERE id = ?'
const update = 'UPDATE sessions SET directories = ?, title = ?, model = ?, mode = ? WHERE id = ?'
const reopen = 'UPDATE sessions SET opened_at = ? WHERE id = ?'
const forget = 'DELETE FROM messages WHERE session_id = ? AND turn = ?'
// The number of a turn that has calls is not used again: its calls stay in the history.
const untouch = `UPDATE sessions SET updated_at = ?,
  turns = turns - (NOT EXISTS (SELECT 1 FROM tool_calls WHERE session_id = sessions.id AND turn = sessions.turns))
  WHERE id = ? AND turns = ?`

export function createSessionLog({ journal, redactor, session, isStored, isOpen }: SessionLogOptions): OpenSessionLog {
  const { id } = session
  /** The row as this process last wrote it. A row that somebody deleted is written again from it. */
  let row = session
  let updatedBefore = session.updatedAt
  let partsOfTurn: TurnPart[] = []
  let generation = isStored ? journal.generation : undefined
  write((statements) => {
    if (isStored) statements.run(reopen, now(), id)
  })

  return {
    get turn() {
      return row.turns
    },
    get updatedAt() {
      return row.updatedAt
    },
    beginTurn(content) {
      const stored = storedTimes()
      updatedBefore = stored.updatedAt
      row = { ...row, turns: Math.max(row.turns, stored.turns) + 1, updatedAt: now() }
      partsOfTurn = []
      const { turns, updatedAt } = row
      write((statements) => {
        const touchRow = () => statements.run(touch, turns, updatedAt, id) > 0
        if (!touchRow() && restore(statements)) touchRow()
      })
      append('prompt', content)
    },
    event(event) {
      append('event', event)
      if (event.type !== 'turn_end') return
      row = { ...row, updatedAt: now() }
      const { turns, updatedAt } = row
      write((statements) => {
        mergeChunks(statements, redactor, id, turns)
        statements.run(touch, turns, updatedAt, id)
      })
    },
    message: (message) => append('message', message),
    mergeCutOffTurns: () => write((statements) => mergeCutOffTurns(statements, redactor, id)),
    forgetTurn() {
      const turn = row.turns
      row = { ...row, turns: turn - 1, updatedAt: updatedBefore }
      const { updatedAt } = row
      partsOfTurn = []
      write((statements) => {
        statements.run(forget, id, turn)
        statements.run(untouch, updatedAt, id, turn)
      })
    },
    set(settings) {
      row = { ...row, ...settings }
      const values = settingsIn(row)
      write((statements) => void statements.run(update, ...values, id))
    },
    restore,
  }

  /** Another process may have the same session open: its turns must not be mixed with those of this one. */
  function storedTimes(): Pick<SessionSummary, 'turns' | 'updatedAt'> {
    try {
      const stored = journal.read((statements) => statements.get(selectTimes, id))
      return stored === undefined ? row : { turns: Number(stored['turns']), updatedAt: String(stored['updatedAt']) }
    } catch {
      return row
    }
  }

  function append(kind: SessionEntry['kind'], value: unknown): void {
    const body = toBody(value)
    const part = { turn: row.turns, kind, value, isWritten: false }
    if (kind !== 'event' || isCall(value)) partsOfTurn.push(part)
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
    return JSON.stringify(redactValue(value, redactor))
  }

  function write(work: Write, bytes?: number): void {
    journal.write((statements) => {
      ensureRow(statements)
      work(statements)
    }, bytes)
  }

  /** A new session, or a database that had to be replaced: it knows nothing of this session yet. */
  function ensureRow(statements: Statements): void {
    if (generation !== journal.generation && !restore(statements)) insert(statements)
    generation = journal.generation
  }

  function restore(statements: Statements): boolean {
    if (!isOpen()) return false
    statements.transaction(() => {
      insert(statements)
      for (const { turn, kind, value, isWritten } of partsOfTurn) if (isWritten) statements.run(insertEntry, id, turn, kind, toBody(value))
    })
    generation = journal.generation
    return true
  }

  function insert(statements: Statements): void {
    const { agent, cwd, createdAt } = session
    statements.run(insertSession, id, agent, cwd, ...settingsIn(row), row.turns, createdAt, now(), createdAt)
  }

  /** In the order of the columns. */
  function settingsIn({ additionalDirectories, title, model, mode }: SessionSummary) {
    return [JSON.stringify(additionalDirectories), title === null ? null : redactor.redact(title), model, mode] as const
  }
}

function isCall(value: unknown): boolean {
  return isRecord(value) && value['type'] === 'tool_call'
}

function now(): string {
  return new Date().toISOString()
}
