import { setTimeout as delay } from 'node:timers/promises'
import type { SessionId } from '../base/ids.ts'
import type { Journal } from './db/journal.ts'
import type { Retention } from '../config/retention.ts'
import { hasMatch } from './calls/call-search-index.ts'
import type { Row, Statements } from './db/statements.ts'
import { noteClock } from './db/steady-clock.ts'

export interface RetentionOptions {
  readonly journal: Pick<Journal, 'read' | 'tryChange'>
  readonly agent: string
  readonly retention: Retention
  readonly isInMemory: () => boolean
  readonly isOpen: (id: SessionId) => boolean
}

const dayMs = 24 * 60 * 60 * 1_000
const memoryBytesMax = 64 * 1024 * 1024

/** Small steps, so that neither this process nor other writers wait long. */
const stepRows = 100
const stepPages = 64
const stepMerges = 16
const deletedShareMax = 0.2
const stepPauseMs = 20
/** The pause after a step, as a multiple of its time: on a slow disk, cleaning up must not take most of the time. */
const pauseFactor = 4
/** A session used within this time may be open in another process. */
const inUseMs = dayMs
/** When over the limit, shrink to this share of it, so that the next sweep need not shrink again. */
const shrinkToShare = 0.9

/** Settles when nothing is left to delete, or when the database is unavailable. */
export async function sweep(options: RetentionOptions, signal: AbortSignal): Promise<void> {
  const { journal } = options
  const trustedAt = journal.tryChange((statements) => noteClock(statements, Date.now()))
  if (trustedAt !== undefined) await runSteps(journal, stepsOf(options, trustedAt), signal)
}

export async function freeSpace(journal: RetentionOptions['journal'], signal: AbortSignal): Promise<void> {
  await runSteps(journal, [freeDiskSpace], signal)
}

async function runSteps(
  journal: RetentionOptions['journal'],
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) {
    while (!signal.aborted) {
      // Undefined if the database is locked or corrupt; the next sweep tries again.
      const startedAt = performance.now()
      const isMore = journal.tryChange(step)
      if (isMore === undefined) return
      const pauseMs = Math.max(stepPauseMs, pauseFactor * (performance.now() - startedAt))
      if (!(await waitUnlessAborted(pauseMs, signal))) return
      if (!isMore) break
    }
  }
}

/** Does a small part of the work. True if there is more. */
type Step = (statements: Statements) => boolean

function stepsOf(
  { agent, retention, isInMemory, isOpen }: RetentionOptions,
  trustedAt: number,
): readonly Step[] {
  const bytesMax = isInMemory() ? Math.min(retention.maxBytes, memoryBytesMax) : retention.maxBytes
  const idleMs = isInMemory() ? 0 : inUseMs
  const expired = ago(retention.keepDays * dayMs, trustedAt)
  return [
    redateSessions(ago(0, trustedAt)),
    (statements) => deleteSessions(statements, expiredSessions, [agent, expired], isOpen),
    (statements) => deleteSessions(statements, unusedSessions, [agent, ago(inUseMs, trustedAt)], isOpen),
    deleteExpiredCalls(agent, expired),
    shrink(bytesMax, ago(idleMs, Date.now()), isOpen),
    deleteUnusedFilters(),
    mergeIndex(),
    freeDiskSpace,
  ]
}

/** Earlier dates come from a wrong clock: there was no Ostler yet. */
const firstDay = '2026-01-01'

/** Sessions from a time with a wrong clock are as old as the first sweep that finds them. */
function redateSessions(now: string): Step {
  return (statements) => {
    statements.run('UPDATE sessions SET opened_at = ?1, updated_at = ?1 WHERE updated_at < ?2', now, firstDay)
    return false
  }
}

const expiredSessions = `SELECT id FROM sessions WHERE agent = ?1 AND updated_at < ?2 AND opened_at < ?2 ORDER BY updated_at LIMIT 50`
const unusedSessions = `SELECT id FROM sessions WHERE agent = ?1 AND turns = 0 AND opened_at < ?2 LIMIT 50`

function deleteSessions(
  statements: Statements,
  sql: string,
  values: readonly string[],
  isOpen: (id: SessionId) => boolean,
): boolean {
  const id = statements
    .all(sql, ...values)
    .map((row) => String(row['id']))
    .find((id) => !isOpen(id))
  if (id === undefined) return false
  deletePartOfSession(statements, id)
  return true
}

function deletePartOfSession(statements: Statements, id: SessionId): void {
  const messages = statements.run(
    'DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE session_id = ? LIMIT ?)',
    id,
    stepRows * 5,
  )
  if (messages > 0) return
  const calls = statements.run(
    'DELETE FROM tool_calls WHERE seq IN (SELECT seq FROM tool_calls WHERE session_id = ? LIMIT ?)',
    id,
    stepRows,
  )
  if (calls === 0) statements.run('DELETE FROM sessions WHERE id = ?', id)
}

const ended = `status NOT IN ('pending', 'running')`
const nextCalls = `SELECT seq, agent = ? AND started_at < ? AND started_at > '${firstDay}' AND ${ended} AS isExpired FROM tool_calls WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`

function deleteExpiredCalls(agent: string, before: string): Step {
  let after = 0
  return (statements) => {
    const last = statements.get(
      'SELECT max(last) AS last FROM call_hours WHERE hour <= substr(?, 1, 13)',
      before,
    )?.['last']
    if (typeof last !== 'number') return false
    const rows = statements.all(nextCalls, agent, before, after, last, stepRows)
    deleteCalls(
      statements,
      rows.filter(({ isExpired }) => isExpired === 1),
    )
    after = Number(rows.at(-1)?.['seq'] ?? after)
    return rows.length === stepRows
  }
}

function deleteCalls(statements: Statements, calls: readonly Row[]): void {
  statements.transaction(() => {
    for (const { seq } of calls) statements.run('DELETE FROM tool_calls WHERE seq = ?', Number(seq))
  })
}

const oldestCalls = `SELECT seq, started_at AS at FROM tool_calls WHERE ${ended} ORDER BY seq LIMIT ?`
const idleSessions = `SELECT id, updated_at AS at FROM sessions WHERE updated_at < ?1 AND opened_at < ?1 ORDER BY updated_at LIMIT 50`

function shrink(bytesMax: number, idleSince: string, isOpen: (id: SessionId) => boolean): Step {
  let goal = bytesMax
  return (statements) => {
    if (bytesUsed(statements) <= goal) return false
    goal = bytesMax * shrinkToShare
    const calls = statements.all(oldestCalls, stepRows)
    const session = statements.all(idleSessions, idleSince).find((row) => !isOpen(String(row['id'])))
    if (session !== undefined && String(session['at']) < String(calls[0]?.['at'] ?? '~'))
      deletePartOfSession(statements, String(session['id']))
    else deleteCalls(statements, calls)
    return calls.length > 0 || session !== undefined
  }
}

function bytesUsed(statements: Statements): number {
  const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
    pragma(statements, name),
  )
  return ((pages ?? 0) - (free ?? 0)) * (size ?? 0)
}

const hasOpenCall = `SELECT 1 FROM tool_calls WHERE ${ended.replace('NOT IN', 'IN')} AND server IS ? AND tool = ?`
const nextTools =
  'SELECT server, tool FROM called_tools WHERE (server, tool) > (?, ?) ORDER BY server, tool LIMIT ?'

function deleteUnusedFilters(): Step {
  let [server, tool] = ['', '']
  return (statements) => {
    statements.run('DELETE FROM call_hours WHERE last < (SELECT min(seq) FROM tool_calls)')
    const rows = statements.all(nextTools, server, tool, stepRows)
    for (const row of rows) {
      ;[server, tool] = [String(row['server']), String(row['tool'])]
      const facets = { server: server === '' ? null : server, tool }
      if (hasMatch(statements, facets) || statements.get(hasOpenCall, facets.server, tool) !== undefined)
        continue
      statements.run('DELETE FROM called_tools WHERE server = ? AND tool = ?', server, tool)
    }
    return rows.length === stepRows
  }
}

const resetDeleted = 'UPDATE call_changes SET deleted = 0'
const mergeWords = `INSERT INTO tool_calls_words (tool_calls_words, rank) VALUES ('merge', ?)`
const selectDeletedShare =
  'SELECT deleted, (SELECT max(seq) - min(seq) FROM tool_calls) AS span FROM call_changes'

/** The text index only marks deleted calls. This occasionally rewrites it without them. */
function mergeIndex(): Step {
  let isBegun = false
  return (statements) => {
    const { deleted, span } = statements.get(selectDeletedShare) ?? {}
    if (!isBegun && Number(deleted) <= Number(span ?? 0) * deletedShareMax) return false
    const before = totalChanges(statements)
    // A negative number starts a merge of the whole index; later calls continue it.
    statements.run(mergeWords, isBegun ? stepMerges : -stepMerges)
    isBegun = true
    // At least two changes mean that there was something to merge.
    if (totalChanges(statements) - before >= 2) return true
    statements.run(resetDeleted)
    return false
  }
}

function totalChanges(statements: Statements): number {
  return Number(statements.get('SELECT total_changes() AS count')?.['count'])
}

function freeDiskSpace(statements: Statements): boolean {
  const free = pragma(statements, 'freelist_count')
  if (free < stepPages) return false
  statements.database.exec(`PRAGMA incremental_vacuum(${stepPages})`)
  return pragma(statements, 'freelist_count') < free
}

function pragma(statements: Statements, name: string): number {
  return Number(statements.get(`PRAGMA ${name}`)?.[name] ?? 0)
}

function ago(ms: number, now: number): string {
  return new Date(now - ms).toISOString()
}

async function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal, ref: false }).catch(() => false)
}
