import type { SQLInputValue } from 'node:sqlite'
import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import type { SessionId, ToolCallId } from '../../base/ids.ts'
import { hasEnded } from '../presence/process-mark.ts'
import {
  callSummarySchema,
  type CallFilter,
  type CallQuery,
  type CallSummary,
  type StoredCall,
} from './call.ts'
import { toMatch } from './call-search-index.ts'
import { toText } from '../../policy/decision-rule.ts'
import { serverNow } from './called-servers.ts'
import { startsWith, toWhere, type Condition, toInstant } from '../db/conditions.ts'
import { type Statements, parseJson, toValid } from '../db/statements.ts'

/** Lists show nothing of longer arguments. */
const listedBytesMax = 16 * 1024
/** The arguments are cut after their secrets are redacted. */
const aboutCharsMax = 300

const argumentsInShort = `(SELECT group_concat(coalesce(key || ': ', '') || iif(type IN ('true', 'false', 'null'), type, value), ', ') FROM json_each(body.arguments))`
const summaryColumns = `seq, change, id, agent, session_id AS sessionId, turn, ${serverNow} AS server, tool, status, decision, rule,
  started_at AS startedAt, ended_at AS endedAt, duration_ms AS durationMs, waited_ms AS waitedMs, result_bytes AS resultBytes, error,
  (SELECT CASE WHEN server IS NULL AND rule = '${toText({ by: 'person', how: 'console' })}' THEN coalesce(json_extract(body.arguments, '$.server'), json_extract(body.arguments, '$.name'))
    WHEN octet_length(body.arguments) <= ${listedBytesMax} THEN ${argumentsInShort} END
    FROM tool_call_bodies AS body WHERE body.seq = tool_calls.seq) AS about`

const callSchema = callSummarySchema.extend({
  serverId: z.string().nullable(),
  fence: z.string().nullable(),
  arguments: z.string().transform(parseJson),
  result: z.string().transform(parseJson).nullable(),
})

export function listCalls(statements: Statements, query: CallQuery): readonly CallSummary[] {
  const range = seqRange(statements, query)
  if (range === undefined) return []
  const conditions = conditionsOf(query, range)
  const { limit, sessionId, text, status, changedAfter } = query
  if (changedAfter !== undefined)
    return select(statements, [...conditions, ['change > ?', changedAfter]], 'change', limit)
  const order = query.after === undefined ? 'seq DESC' : 'seq'
  const isOpen = status === 'pending' || status === 'running'
  if (isOpen)
    return text === undefined ? select(statements, [openCondition, ...conditions], order, limit) : []
  const match = sessionId !== undefined && text === undefined ? undefined : toMatch(statements, query)
  if (match === undefined) return select(statements, conditions, order, limit)

  const ended = selectMatching(statements, match, range, conditions, query)
  // Open calls are not in the index yet. There are only a few.
  const open =
    text === undefined && status === undefined
      ? select(statements, [openCondition, ...conditions], order, limit)
      : []
  if (open.length === 0) return ended
  // A call that another process ended between the two queries is in both results.
  const calls = [...new Map([...open, ...ended].map((call) => [call.seq, call])).values()]
  return calls.toSorted((a, b) => (query.after === undefined ? b.seq - a.seq : a.seq - b.seq)).slice(0, limit)
}

export function findCall(statements: Statements, id: ToolCallId, strike: Strike): StoredCall | undefined {
  const sql = `SELECT ${summaryColumns}, server_id AS serverId, fence, arguments, result FROM tool_calls JOIN tool_call_bodies USING (seq) WHERE id = ?`
  const [call] = toValid(callSchema, statements.all(sql, id))
  return (
    call && {
      ...cleanSummary(call, strike),
      arguments: strike(call.arguments),
      result: strike(call.result) as StoredCall['result'],
    }
  )
}

/** Redacts again: parts of arguments and results in a list may be older than a secret in them. */
export function cleanSummary<C extends Pick<CallSummary, 'error' | 'about'>>(
  { error, about, ...call }: C,
  strike: Strike,
) {
  return { ...call, error: error && strike(error), about: about && strike(about).slice(0, aboutCharsMax) }
}

export function findCallsByPrefix(
  statements: Statements,
  prefix: string,
  limit: number,
): readonly CallSummary[] {
  return select(statements, startsWith('id', prefix), 'id', limit)
}

export function listOpenCalls(statements: Statements, sessionId: SessionId): ReadonlySet<ToolCallId> {
  const sql = `SELECT id, process FROM tool_calls WHERE status IN ('pending', 'running') AND session_id = ?`
  const rows = statements.all(sql, sessionId).filter((row) => !hasEnded(row))
  return new Set(rows.map(({ id }) => String(id)))
}

export function lastChange(statements: Statements): number {
  return Number(statements.get('SELECT last FROM call_changes')?.['last'] ?? 0)
}

const openCondition: Condition = [`status IN ('pending', 'running')`]

/** The history records actions in the console as calls. They are not calls of a tool, so lists of calls leave them out. */
const noActions: Condition = [`(tool NOT LIKE 'console:%' OR rule = '${toText({ by: 'unknown' })}')`]

interface SeqRange {
  readonly first: number | undefined
  readonly last: number | undefined
}

export function conditionsOf(query: CallFilter, { first, last }: SeqRange): readonly Condition[] {
  return [
    ['agent = ?', query.agent],
    ['session_id = ?', query.sessionId],
    ['turn = ?', query.turn],
    [`${serverNow} IS ?`, query.server],
    ...(query.server === null ? [noActions] : []),
    ['tool = ?', query.tool],
    ['status = ?', query.status],
    ['started_at >= ?', query.since && toInstant(query.since)],
    ['started_at < ?', query.until && toInstant(query.until)],
    ['seq >= ?', first],
    ['seq <= ?', last],
  ]
}

/** Undefined without calls in that time. */
export function seqRange(
  statements: Statements,
  { since, until, before, after }: Pick<CallQuery, 'since' | 'until' | 'before' | 'after'>,
): SeqRange | undefined {
  const paged = {
    first: after === undefined ? undefined : after + 1,
    last: before === undefined ? undefined : before - 1,
  }
  if (since === undefined && until === undefined) return paged
  const { where, values } = toWhere(
    ['hour >= ?', since && toInstant(since).slice(0, hourLength)],
    ['hour <= ?', until && toInstant(until).slice(0, hourLength)],
  )
  const row = statements.get(
    `SELECT min(first) AS first, max(last) AS last FROM call_hours ${where}`,
    ...values,
  )
  if (typeof row?.['first'] !== 'number' || typeof row['last'] !== 'number') return undefined
  return {
    first: Math.max(row['first'], paged.first ?? 0),
    last: Math.min(row['last'], paged.last ?? Infinity),
  }
}

const hourLength = '2026-01-01T00'.length

function select(
  statements: Statements,
  conditions: readonly Condition[],
  order: string,
  limit: number,
): readonly CallSummary[] {
  const { where, values } = toWhere(...conditions)
  return selectRows(statements, `FROM tool_calls ${where} ORDER BY ${order}`, values, limit)
}

function selectMatching(
  statements: Statements,
  match: string,
  { first, last }: SeqRange,
  conditions: readonly Condition[],
  { after, limit }: CallQuery,
): readonly CallSummary[] {
  // Rows are read in index order and filtered one by one until the limit is reached. A number is bound as REAL, and only with an INTEGER
  // does the index begin at the page instead of its end.
  const { where, values } = toWhere(
    ['tool_calls_words MATCH ?', match],
    ['rowid >= ?', first === undefined ? first : BigInt(first)],
    ['rowid <= ?', last === undefined ? last : BigInt(last)],
  )
  const { where: residue, values: others } = toWhere(...conditions)
  const order = after === undefined ? 'DESC' : 'ASC'
  const from = `FROM (SELECT rowid AS found FROM tool_calls_words ${where}) CROSS JOIN tool_calls ON seq = found ${residue} ORDER BY found ${order}`
  return selectRows(statements, from, [...values, ...others], limit)
}

function selectRows(
  statements: Statements,
  from: string,
  values: readonly SQLInputValue[],
  limit: number,
): readonly CallSummary[] {
  return toValid(
    callSummarySchema,
    statements.all(`SELECT ${summaryColumns} ${from} LIMIT ?`, ...values, limit),
  )
}
