import { callStatuses, type CallQuery, type CallStatus, type CallSummary, type History } from '@ostler/agent-api'
import { readCommandLine, unknownCommand, usageError, type CommandLine } from '../command-line/command-line.ts'
import { findSessionByPrefix, toShortId } from '../state/find-by-prefix.ts'
import { formatDuration, formatTime } from '../terminal/format-quantity.ts'
import { formatTable, type Cell, type StyledCell } from '../terminal/format-table.ts'
import { withState } from '../state/open-state.ts'
import { parseCount } from '../command-line/parse-count.ts'
import { parseSince } from '../command-line/parse-since.ts'
import { printJson } from '../terminal/print-json.ts'
import { runHistoryClear } from './history/clear.ts'
import { runHistoryShow } from './history/show.ts'
import { historyCommand } from './specs/history.ts'

export async function runHistory(args: readonly string[]): Promise<number> {
  if (args[0] === 'show') return runHistoryShow(args.slice(1))
  if (args[0] === 'stats') return (await import('./history/stats.ts')).runHistoryStats(args.slice(1))
  if (args[0] === 'clear') return runHistoryClear(args.slice(1))
  const line = readCommandLine(historyCommand, args)
  if (line === undefined) return 0
  const { values, words } = line
  if (words[0] !== undefined) throw unknownCommand(historyCommand, words[0])
  const query = toQuery(values)
  const { calls, next } = await withState(values['state-dir'], process.env, (history) => findCalls(history, query, values.session))
  if (values.json) printJson({ calls, next })
  else if (calls.length === 0) process.stdout.write('There are no such tool calls.\n')
  else process.stdout.write(`${formatCalls(calls)}\n`)
  if (!values.json && next !== null && process.stderr.isTTY) process.stderr.write(`There are more: --limit shows them.\n`)
  return 0
}

type Values = CommandLine<typeof historyCommand>['values']

/** The command line is checked as a whole before anything is opened. */
function toQuery({ server, tool, status, since, search, limit, before }: Values): CallQuery {
  if (status !== undefined && !isStatus(status)) throw usageError(historyCommand, `--status must be one of ${callStatuses.join(', ')}`)
  const from = since === undefined ? undefined : parseSince(since)
  if (since !== undefined && from === undefined)
    throw usageError(historyCommand, `--since must be like 30m, 2h, 7d, 2w, 2026-11-01 or 2026-11-01T08:30, and is '${since}'`)
  if (search !== undefined && !/[\p{L}\p{N}]/u.test(search)) throw usageError(historyCommand, '--search needs a word')
  return {
    ...(server !== undefined && { server }),
    ...(tool !== undefined && { tool }),
    ...(status !== undefined && { status }),
    ...(from !== undefined && { since: from }),
    ...(search !== undefined && { text: search }),
    ...(before !== undefined && { before: parseCount(historyCommand, 'before', before, Number.MAX_SAFE_INTEGER) }),
    limit: parseCount(historyCommand, 'limit', limit),
  }
}

function findCalls(history: History | undefined, query: CallQuery, session: string | undefined) {
  const sessionId = session === undefined ? undefined : findSessionByPrefix(history, session).id
  const found = history?.listCalls({ ...query, limit: query.limit + 1, ...(sessionId !== undefined && { sessionId }) }) ?? []
  const calls = found.slice(0, query.limit)
  return { calls, next: found.length > calls.length ? (calls.at(-1)?.seq ?? null) : null }
}

function isStatus(text: string): text is CallStatus {
  return callStatuses.some((status) => status === text)
}

function formatCalls(calls: readonly CallSummary[]): string {
  const header = ['ID', 'TIME', 'STATUS', 'SERVER', 'TOOL', 'DURATION', 'SESSION', 'DECISION'].map((text): Cell => ({
    text,
    style: 'bold',
  }))
  const rows = calls.map(({ id, startedAt, status, server, tool, durationMs, sessionId, decision, rule }): Cell[] => [
    toShortId(id),
    formatTime(startedAt),
    toStatusCell(status),
    server ?? '(Ostler)',
    tool,
    durationMs === null ? '' : formatDuration(durationMs),
    sessionId === null ? '' : toShortId(sessionId),
    [decision, rule].filter((part) => part !== null).join(' '),
  ])
  return formatTable([header, ...rows])
}

function toStatusCell(status: CallStatus): Cell {
  const styles: Partial<Record<CallStatus, StyledCell['style']>> = { success: 'green', error: 'red', interrupted: 'red', denied: 'yellow' }
  const style = styles[status]
  return style === undefined ? status : { text: status, style }
}
