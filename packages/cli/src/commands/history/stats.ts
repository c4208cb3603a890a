import { formatDuration } from '@ostler/agent-api/internal'
import type { CallStatistics } from '@ostler/agent-api/internal'
import { defineCommand } from '../../command-line/command.ts'
import { parseTime } from '../../command-line/parse-values.ts'
import { jsonFlag, stateDirFlag } from '../../command-line/shared-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { withState } from '../../state/with-state.ts'
import { formatTable, headerOf, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Counts the finished calls of each tool per day (UTC), with their median and 95th percentile durations.',
  flags: {
    server: { type: 'string', value: 'NAME', help: 'Only calls of this MCP server', completion: 'server' },
    since: { type: 'string', default: '7d', value: 'WHEN', help: 'Only since: 2w, 2026-11-01 (7d)' },
    by: {
      type: 'string',
      default: 'tool',
      value: 'WHAT',
      help: 'Group by tool or by server (tool)',
      completion: ['tool', 'server'],
    },
    json: jsonFlag,
    'state-dir': stateDirFlag,
  },
  more: `With --json: { "statistics": [...] }, each with day, server, tool, calls, errors, denied, p50Ms and p95Ms. Interrupted calls count as errors, and calls of unknown tools do not count.`,
  async run(io, { values }) {
    const { by, json, server, since: from } = values
    const since = parseTime('since', from)
    if (by !== 'tool' && by !== 'server') throw usageError('--by must be tool or server')
    const statistics = await withState(
      io,
      values,
      (state) => state?.calls.statistics({ since, by, server }) ?? [],
    )
    if (json) printJson(io, { statistics })
    else
      io.stdout.write(
        statistics.length === 0 ? 'No tool calls found.\n' : `${formatTable(toRows(statistics, by))}\n`,
      )
  },
})

function toRows(statistics: readonly CallStatistics[], by: 'server' | 'tool'): Cell[][] {
  const header = [
    'DAY',
    'SERVER',
    ...(by === 'tool' ? ['TOOL'] : []),
    'CALLS',
    'ERRORS',
    'DENIED',
    'P50',
    'P95',
  ]
  return [
    headerOf(...header),
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
