import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import type { SessionId } from '../../base/ids.ts'
import { approvalModes } from '../../policy/approval-mode.ts'
import { startsWith, toWhere } from '../db/conditions.ts'
import { eventBody, messageBody, promptBody } from './entry-body.ts'
import type { SessionEntry, SessionQuery, SessionSummary } from './session-entry.ts'
import { type Row, type Statements, parseJson, toValid } from '../db/statements.ts'

const columns = `id, agent, cwd, directories AS additionalDirectories, title, model, mode, thought_level AS thoughtLevel, turns,
  created_at AS createdAt, updated_at AS updatedAt`

const summarySchema = z.object({
  id: z.string(),
  agent: z.string(),
  cwd: z.string(),
  additionalDirectories: z.string().transform(parseJson).pipe(z.array(z.string())),
  title: z.string().nullable(),
  model: z.string().nullable(),
  mode: z.enum(approvalModes).nullable(),
  thoughtLevel: z.string().nullable(),
  turns: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ turn: z.number(), kind: z.literal('prompt'), body: promptBody }),
  z.object({ turn: z.number(), kind: z.literal('event'), body: eventBody }),
  z.object({ turn: z.number(), kind: z.literal('message'), body: messageBody }),
])

/** Changes are noticed in this many of the most recent sessions. */
const recentMax = 100

export interface Reading {
  readonly strike: Strike
  readonly onLeftOut: (rows: number) => void
}

/** Sessions in which nothing was asked have no title, and are left out. */
export function listSessions(
  statements: Statements,
  { agent, cwd, after, limit }: SessionQuery,
  reading: Reading,
): readonly SessionSummary[] {
  const { where, values } = toWhere(
    ['title IS NOT NULL'],
    ['agent = ?', agent],
    ['cwd = ?', cwd],
    ['(updated_at, id) < (?, ?)', after?.updatedAt, after?.id],
  )
  const sql = `SELECT ${columns} FROM sessions ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
  return toSummaries(statements.all(sql, ...values, limit), reading)
}

export function findSession(
  statements: Statements,
  id: SessionId,
  reading: Reading,
): SessionSummary | undefined {
  return toSummaries(statements.all(`SELECT ${columns} FROM sessions WHERE id = ?`, id), reading)[0]
}

export function findSessionsByPrefix(
  statements: Statements,
  prefix: string,
  limit: number,
  reading: Reading,
): readonly SessionSummary[] {
  const { where, values } = toWhere(...startsWith('id', prefix))
  return toSummaries(
    statements.all(`SELECT ${columns} FROM sessions ${where} ORDER BY id LIMIT ?`, ...values, limit),
    reading,
  )
}

export function recentSessions(statements: Statements): readonly Row[] {
  return statements.all(
    `SELECT id, updated_at, title FROM sessions WHERE title IS NOT NULL ORDER BY updated_at DESC LIMIT ${recentMax}`,
  )
}

function toSummaries(rows: readonly Row[], { strike, onLeftOut }: Reading): readonly SessionSummary[] {
  return toValid(summarySchema, rows, onLeftOut).map((summary) => ({
    ...summary,
    title: strike(summary.title),
  }))
}

export function readEntries(
  statements: Statements,
  id: SessionId,
  reading: Reading,
): readonly SessionEntry[] {
  const rows = statements.all(
    'SELECT turn, kind, body FROM messages WHERE session_id = ? ORDER BY turn, seq',
    id,
  )
  return toEntries(rows, reading)
}

/** The end of a page, where the next one begins. */
export interface EntryPlace {
  readonly turn: number
  readonly seq: number
}

export interface EntryPage {
  readonly entries: readonly SessionEntry[]
  readonly last: EntryPlace | undefined
}

/** Limits reading a page to a few milliseconds, so that a long session does not block the event loop. */
const pageBytesMax = 256 * 1024
const pageRowsMax = 250

const selectPage = `SELECT turn, seq, kind, body FROM messages WHERE session_id = ? AND (turn, seq) > (?, ?) ORDER BY turn, seq LIMIT ${pageRowsMax}`

export function readEntryPage(
  statements: Statements,
  id: SessionId,
  after: EntryPlace | undefined,
  reading: Reading,
): EntryPage {
  const rows: Row[] = []
  let bytes = 0
  for (const row of statements.iterate(selectPage, id, after?.turn ?? -1, after?.seq ?? -1)) {
    rows.push(row)
    bytes += String(row['body']).length
    if (bytes > pageBytesMax) break
  }
  const last = rows.at(-1)
  return {
    entries: toEntries(rows, reading),
    last: last && { turn: Number(last['turn']), seq: Number(last['seq']) },
  }
}

export function lastEntry(statements: Statements): number {
  return Number(statements.get('SELECT max(seq) AS last FROM messages')?.['last'] ?? 0)
}

export function sessionsWrittenAfter(statements: Statements, entry: number): readonly SessionId[] {
  return statements
    .all('SELECT DISTINCT session_id AS id FROM messages WHERE seq > ?', entry)
    .map(({ id }) => String(id))
}

function toEntries(rows: readonly Row[], { strike, onLeftOut }: Reading): readonly SessionEntry[] {
  const struck = rows.map((row) => ({ ...row, body: strike(parseJson(String(row['body']))) }))
  return toValid(entrySchema, struck, onLeftOut).map(toEntry)
}

function toEntry({ turn, kind, body }: z.output<typeof entrySchema>): SessionEntry {
  switch (kind) {
    case 'prompt':
      return { turn, kind, content: body as unknown } as SessionEntry
    case 'event':
      return { turn, kind, event: body as unknown } as SessionEntry
    case 'message':
      return body.role === 'context'
        ? ({ turn, kind: 'change', change: body.change as unknown } as SessionEntry)
        : ({ turn, kind, message: body as unknown } as SessionEntry)
  }
}
