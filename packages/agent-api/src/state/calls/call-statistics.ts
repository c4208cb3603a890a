import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { textsOf, toText } from '../../policy/decision-rule.ts'
import type { CallStatistics, StatisticsQuery } from './call.ts'
import { conditionsOf, seqRange } from './call-queries.ts'
import { serverNow } from './called-servers.ts'
import { toList, toWhere } from '../db/conditions.ts'
import type { Journal } from '../db/journal.ts'
import type { Row, Statements } from '../db/statements.ts'

const stepRows = 1_000
const stepTallies = 50

interface Tally extends Pick<CallStatistics, 'day' | 'server' | 'tool'> {
  calls: number
  errors: number
  denied: number
  readonly durationsMs: number[]
}

/** Reads in steps, and rejects when the signal aborts: a million calls take seconds, and nobody may be waiting any more. */
export async function readStatistics(
  journal: Pick<Journal, 'read'>,
  query: StatisticsQuery,
  signal?: AbortSignal,
): Promise<readonly CallStatistics[]> {
  const range = journal.read((statements) => seqRange(statements, query))
  if (range === undefined) return []
  const tallies = new Map<string, Tally>()
  let after = (range.first ?? 0) - 1
  for (;;) {
    signal?.throwIfAborted()
    const rows = journal.read((statements) => readStep(statements, query, after, range.last))
    for (const row of rows) count(tallies, query.by === 'tool' ? row : { ...row, tool: null })
    const last = rows.at(-1)?.['seq']
    if (rows.length < stepRows || typeof last !== 'number') break
    after = last
    await turnOfOthers()
  }
  const statistics: CallStatistics[] = []
  for (const [index, tally] of [...tallies.values()].toSorted(byDay).entries()) {
    if (index % stepTallies === 0) await turnOfOthers()
    statistics.push(toStatistics(tally))
  }
  return statistics
}

function readStep(
  statements: Statements,
  query: StatisticsQuery,
  after: number,
  last: number | undefined,
): readonly Row[] {
  const { where, values } = toWhere(
    ...conditionsOf(query, { first: after + 1, last }),
    [`status NOT IN ('pending', 'running')`],
    [`NOT (server IS NULL AND tool LIKE 'console:%')`],
    // Answers to questions are not counted, because their duration is the person's. Neither are calls of
    // tools that do not exist.
    [`coalesce(rule, '') NOT IN ${toList([...textsOf('answer'), toText({ by: 'unknown' })])}`],
  )
  const sql = `SELECT seq, substr(started_at, 1, 10) AS day, ${serverNow} AS server, tool, status, duration_ms - coalesce(waited_ms, 0) AS ranMs FROM tool_calls ${where} ORDER BY seq LIMIT ?`
  return statements.all(sql, ...values, stepRows)
}

function count(tallies: Map<string, Tally>, { day, server, tool, status, ranMs }: Row): void {
  const key = JSON.stringify([day, server, tool])
  const named = { day: String(day), server: server as string | null, tool: tool as string | null }
  const tally = tallies.get(key) ?? { ...named, calls: 0, errors: 0, denied: 0, durationsMs: [] }
  tallies.set(key, tally)
  tally.calls++
  if (status === 'error' || status === 'interrupted') tally.errors++
  if (status === 'denied') tally.denied++
  else if (typeof ranMs === 'number') tally.durationsMs.push(ranMs)
}

function toStatistics({ durationsMs, ...counted }: Tally): CallStatistics {
  const sorted = Float64Array.from(durationsMs).toSorted()
  return { ...counted, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) }
}

/** The smallest value that is not exceeded by this share of all values. */
function quantile(sorted: Float64Array, part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
}

function byDay(a: Tally, b: Tally): number {
  const name = ({ server, tool }: Tally) => JSON.stringify([server ?? '', tool])
  return b.day.localeCompare(a.day) || name(a).localeCompare(name(b))
}
