import { z } from 'zod'
import type { ToolCallId } from '../ids.ts'
import { callStatuses, type CallQuery, type CallSummary, type StoredCall, type StoredResult } from './call.ts'
import { toWhere } from './conditions.ts'
import type { Row, Statements } from './statements.ts'

const summaryColumns = `seq, id, agent, session_id AS sessionId, turn, server, tool, status, decision, rule,
  started_at AS startedAt, ended_at AS endedAt, duration_ms AS durationMs, error`

const summarySchema = z.object({
  seq: z.number(),
  id: z.string(),
  agent: z.string(),
  sessionId: z.string().nullable(),
  turn: z.number().nullable(),
  server: z.string().nullable(),
  tool: z.string(),
  status: z.enum(callStatuses),
  decision: z.string().nullable(),
  rule: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  error: z.string().nullable(),
})

const json = z.string().transform((text): unknown => JSON.parse(text))

const callSchema = summarySchema.extend({
  arguments: json,
  result: json.nullable(),
  resultBytes: z.number().nullable(),
})

/** Newest first; oldest first where `after` is given. */
export function listCalls(statements: Statements, query: CallQuery): readonly CallSummary[] {
  const { where, values } = toWhere(
    ['session_id = ?', query.sessionId],
    ['turn = ?', query.turn],
    ['server = ?', query.server],
    ['tool = ?', query.tool],
    ['status = ?', query.status],
    ['started_at >= ?', query.since],
    ['started_at < ?', query.until],
    ['seq < ?', query.before],
    ['seq > ?', query.after],
    [
      'seq IN (SELECT rowid FROM tool_calls_text WHERE tool_calls_text MATCH ?)',
      query.text === undefined ? undefined : toMatch(query.text),
    ],
  )
  const order = query.after === undefined ? 'DESC' : 'ASC'
  const sql = `SELECT ${summaryColumns} FROM tool_calls ${where} ORDER BY seq ${order} LIMIT ?`
  return statements.all(sql, ...values, query.limit).map((row) => summarySchema.parse(row))
}

export function findCall(statements: Statements, id: ToolCallId): StoredCall | undefined {
  const row = statements.get(`SELECT ${summaryColumns}, arguments, result, result_bytes AS resultBytes FROM tool_calls WHERE id = ?`, id)
  return row && toStoredCall(row)
}

function toStoredCall(row: Row): StoredCall {
  const { result, ...call } = callSchema.parse(row)
  return { ...call, result: result as StoredResult | null }
}

/** Every word quoted, so that nothing in it is an operator; the last may still be unfinished. */
function toMatch(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => `"${word}"*`).join(' ')
}
