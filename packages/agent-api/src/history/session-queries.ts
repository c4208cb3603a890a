import { z } from 'zod'
import type { SessionId } from '../ids.ts'
import { approvalModes } from '../policy/approval.ts'
import { toWhere } from './conditions.ts'
import type { SessionEntry, SessionQuery, SessionSummary } from './session-entry.ts'
import type { Row, Statements } from './statements.ts'

const columns = `id, agent, cwd, directories AS additionalDirectories, title, model, mode, turns,
  created_at AS createdAt, updated_at AS updatedAt`

const json = z.string().transform((text): unknown => JSON.parse(text))

const summarySchema = z.object({
  id: z.string(),
  agent: z.string(),
  cwd: z.string(),
  additionalDirectories: json.pipe(z.array(z.string())),
  title: z.string().nullable(),
  model: z.string().nullable(),
  mode: z.enum(approvalModes).nullable(),
  turns: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const entrySchema = z.object({ turn: z.number(), kind: z.enum(['prompt', 'event', 'message']), body: json })

/** The one used last comes first. */
export function listSessions(statements: Statements, { agent, cwd, after, limit }: SessionQuery): readonly SessionSummary[] {
  const { where, values } = toWhere(['agent = ?', agent], ['cwd = ?', cwd], ['(updated_at, id) < (?, ?)', after?.updatedAt, after?.id])
  const sql = `SELECT ${columns} FROM sessions ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
  return statements.all(sql, ...values, limit).map((row) => summarySchema.parse(row))
}

export function findSession(statements: Statements, id: SessionId): SessionSummary | undefined {
  const row = statements.get(`SELECT ${columns} FROM sessions WHERE id = ?`, id)
  return row && summarySchema.parse(row)
}

export function readEntries(statements: Statements, id: SessionId): readonly SessionEntry[] {
  return statements.all('SELECT turn, kind, body FROM messages WHERE session_id = ? ORDER BY seq', id).map(toEntry)
}

/** What is in the body was written by Ostler itself, and by its migrations is what this version expects. */
function toEntry(row: Row): SessionEntry {
  const { turn, kind, body } = entrySchema.parse(row)
  switch (kind) {
    case 'prompt':
      return { turn, kind, content: body } as SessionEntry
    case 'event':
      return { turn, kind, event: body } as SessionEntry
    case 'message':
      return { turn, kind, message: body } as SessionEntry
  }
}
