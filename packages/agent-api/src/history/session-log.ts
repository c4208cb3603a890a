import { redactValue } from '../secrets/redact-value.ts'
import type { Redactor } from '../secrets/redact.ts'
import { mergeChunks, mergeCutOffTurns } from './merge-chunks.ts'
import type { Journal, Write } from './journal.ts'
import type { SessionEntry, SessionLog, SessionSummary } from './session-entry.ts'

export interface SessionLogOptions {
  readonly journal: Journal
  readonly redactor: Redactor
  readonly session: SessionSummary
  /** Whether the session has a row already. */
  readonly isStored: boolean
}

const insertSession = `INSERT OR IGNORE INTO sessions (id, agent, cwd, directories, title, model, mode, turns, created_at, opened_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const insertEntry = 'INSERT INTO messages (session_id, turn, kind, body) VALUES (?, ?, ?, ?)'
const touch = 'UPDATE sessions SET turns = ?, updated_at = ? WHERE id = ?'
const update = 'UPDATE sessions SET directories = ?, title = ?, model = ?, mode = ? WHERE id = ?'
const reopen = 'UPDATE sessions SET opened_at = ? WHERE id = ?'
const forget = 'DELETE FROM messages WHERE session_id = ? AND turn = ?'

export function createSessionLog({ journal, redactor, session, isStored }: SessionLogOptions): SessionLog {
  const { id } = session
  let { additionalDirectories, turns, title, model, mode } = session
  let generation = isStored ? journal.generation : undefined
  write((statements) => {
    if (isStored) statements.run(reopen, now(), id)
  })

  return {
    get turn() {
      return turns
    },
    beginTurn(content) {
      turns++
      const at = now()
      write((statements) => void statements.run(touch, turns, at, id))
      append('prompt', content)
    },
    event(event) {
      append('event', event)
      if (event.type !== 'turn_end') return
      const [turn, at] = [turns, now()]
      write((statements) => {
        mergeChunks(statements, redactor, id, turn)
        statements.run(touch, turn, at, id)
      })
    },
    message: (message) => append('message', message),
    mergeCutOffTurns: () => write((statements) => mergeCutOffTurns(statements, redactor, id)),
    forgetTurn() {
      const turn = turns
      write((statements) => void statements.run(forget, id, turn))
    },
    set(settings) {
      additionalDirectories = settings.additionalDirectories ?? additionalDirectories
      title = settings.title === undefined ? title : redactor.redact(settings.title)
      model = settings.model ?? model
      mode = settings.mode ?? mode
      const values = [JSON.stringify(additionalDirectories), title, model, mode] as const
      write((statements) => void statements.run(update, ...values, id))
    },
  }

  function append(kind: SessionEntry['kind'], value: unknown): void {
    const body = JSON.stringify(redactValue(value, redactor))
    const turn = turns
    write((statements) => void statements.run(insertEntry, id, turn, kind, body), body.length)
  }

  function write(work: Write, bytes?: number): void {
    journal.write((statements) => {
      // A new session, or a database that had to be replaced: it knows nothing of this session yet.
      if (generation !== journal.generation) insert(statements)
      generation = journal.generation
      work(statements)
    }, bytes)
  }

  function insert(statements: Parameters<Write>[0]): void {
    const { agent, cwd, createdAt } = session
    const directories = JSON.stringify(additionalDirectories)
    statements.run(insertSession, id, agent, cwd, directories, title, model, mode, turns, createdAt, now(), createdAt)
  }
}

function now(): string {
  return new Date().toISOString()
}
