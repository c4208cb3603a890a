import type { CallStatistics } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { formatDuration } from '../../terminal/format-quantity.ts'
import { formatTable, type Cell } from '../../terminal/format-table.ts'
import { withState } from '../../state/open-state.ts'
import { parseSince } from '../../command-line/parse-since.ts'
import { printJson } from '../../terminal/print-json.ts'
import { historyStatsCommand } from '../specs/history.ts'

export async function runHistoryStats(args: readonly string[]): Promise<number> {
  const line = readCommandLine(historyStatsCommand, args)
  if (line === undefined) return 0
  const { by, json, server, since: from, 'state-dir': stateDir } = line.values
  const since = parseSince(from)
  if (since === undefined) throw usageError(historyStatsCommand, `--since must be like 2w, 7d or 2026-11-01, and is '${from}'`)
  if (by !== 'tool' && by !== 'server') throw usageError(historyStatsCommand, '--by must be tool or server')
  const statistics = await withState(
    stateDir,
    process.env,
    (history) => history?.callStatistics({ since, by, ...(server !== undefined && { server }) }) ?? [],
  )
  if (json) printJson({ statistics })
  else process.stdout.write(statistics.length === 0 ? 'No tool calls found.\n' : `${formatTable(toRows(statistics, by))}\n`)
  return 0
}

function toRows(statistics: readonly CallStatistics[], by: 'server' | 'tool'): Cell[][] {
  const header = ['DAY', 'SERVER', ...(by === 'tool' ? ['TOOL'] : []), 'CALLS', 'ERRORS', 'DENIED', 'P50', 'P95']
  return [
    header.map((text): Cell => ({ text, style: 'bold' })),
    ...statistics.map(({ day, server, tool, calls, errors, denied, p50Ms, p95Ms }): Cell[] => [
      day,
      server ?? '(Ostler)',
      ...(by === 'tool' ? [tool ?? ''] : []),
      String(calls),
      String(errors),
      String(denied),
      ...[p50Ms, p95Ms].map((ms) => (ms === null ? '' : formatDuration(ms))),
    ]),
  ]
}
