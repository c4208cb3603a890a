import type { Strike } from '../../base/clean-text.ts'
import { isRecord } from '../../base/is-record.ts'
import { mergeChunks, mergeCutOffTurns } from './merge-chunks.ts'
import type { Write } from '../db/backlog.ts'
import type { Journal } from '../db/journal.ts'
import type { SessionEntry, SessionLog, SessionSummary } from './session-entry.ts'
import {
  forgetTurn,
  insertSession,
  noteReopened,
  readTimes,
  touchSession,
  updateSettings,
  type SessionTimes,
} from './session-row.ts'
import { isMissingParent } from '../db/sqlite-error.ts'
import type { Statements } from '../db/statements.ts'

export interface SessionLogOptions {
  readonly journal: Journal
  readonly strike: Strike
  readonly session: SessionSummary
  /** True if the session has a row already. */
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
  /** Also used to write a deleted row again. */
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
