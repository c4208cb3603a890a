import type { SessionId, ToolCallId } from '../../base/ids.ts'
import type { Journal } from '../db/journal.ts'

/** The whole texts of results that are too large for a conversation, in parts. They are deleted with their call or session. */
export interface KeptResults {
  /** False if it cannot be stored now. */
  add(part: KeptPart): boolean
  remove(callId: ToolCallId): void
  hasAny(sessionId: SessionId): boolean
  lengthOf(sessionId: SessionId): number
  read(sessionId: SessionId, callId: ToolCallId, place: ResultPlace): ResultExcerpt | undefined
}

interface KeptPart {
  readonly sessionId: SessionId
  readonly callId: ToolCallId
  /** Number of characters, and of line breaks, before it. */
  readonly start: number
  readonly line: number
  readonly text: string
}

interface ResultPlace {
  readonly offset?: number
  /** From 1. Used instead of `offset`. */
  readonly line?: number
  readonly limit: number
}

interface ResultExcerpt {
  readonly text: string
  readonly offset: number
  readonly length: number
}

const insert =
  'INSERT INTO kept_results (call_id, session_id, start, line, length, text) VALUES (?, ?, ?, ?, ?, ?)'
const remove = 'DELETE FROM kept_results WHERE call_id = ?'
const any = 'SELECT 1 FROM kept_results WHERE session_id = ? LIMIT 1'
const sum = 'SELECT sum(length) AS length FROM kept_results WHERE session_id = ?'
const measure = 'SELECT max(start + length) AS length FROM kept_results WHERE call_id = ? AND session_id = ?'
const selectParts =
  'SELECT start, text FROM kept_results WHERE call_id = ? AND start < ? AND start + length > ? ORDER BY start'
const selectLine =
  'SELECT start, line, text FROM kept_results WHERE call_id = ? AND line < ? ORDER BY start DESC LIMIT 1'

export function createKeptResults(journal: Pick<Journal, 'read' | 'tryChange'>): KeptResults {
  return {
    add({ sessionId, callId, start, line, text }) {
      return (
        journal.tryChange((statements) =>
          statements.run(insert, callId, sessionId, start, line, text.length, text),
        ) !== undefined
      )
    },
    remove(callId) {
      journal.tryChange((statements) => statements.run(remove, callId))
    },
    hasAny(sessionId) {
      try {
        return journal.read((statements) => statements.get(any, sessionId) !== undefined)
      } catch {
        return false
      }
    },
    lengthOf: (sessionId) =>
      journal.read((statements) => Number(statements.get(sum, sessionId)?.['length'] ?? 0)),
    read: (sessionId, callId, { offset = 0, line, limit }) =>
      journal.read((statements) => {
        const length = statements.get(measure, callId, sessionId)?.['length']
        if (typeof length !== 'number') return undefined
        const from =
          line === undefined
            ? offset
            : line <= 1
              ? 0
              : (startOfLine(statements.get(selectLine, callId, line - 1), line) ?? length)
        const parts = statements.all(selectParts, callId, from + limit, from)
        const first = Number(parts[0]?.['start'] ?? from)
        const text = parts.map((part) => String(part['text'])).join('')
        return { text: text.slice(from - first, from - first + limit), offset: from, length }
      }),
  }
}

/** Undefined if the text has fewer lines. */
function startOfLine(part: Readonly<Record<string, unknown>> | undefined, line: number): number | undefined {
  if (part === undefined) return undefined
  const text = String(part['text'])
  let at = 0
  for (let breaks = Number(part['line']); breaks < line - 1; breaks++) {
    at = text.indexOf('\n', at) + 1
    if (at === 0) return undefined
  }
  return Number(part['start']) + at
}
