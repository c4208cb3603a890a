import { formatDuration, type CallStatistics } from '@ostler/agent-api/internal'
import { defineCommand, serverFlag, stateFlags, textFlag, usageError } from '../../command-line/command.ts'
import { parseTime } from '../../command-line/parse-values.ts'
import { withState } from '../../state/with-state.ts'
import { formatList, headerOf, print, type Cell } from '../../terminal/print.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Counts the finished calls of each tool per day (UTC), with their median and 95th percentile durations.',
  flags: {
    server: serverFlag,
    since: textFlag('WHEN', 'Only since: 2w, 2026-11-01 (7d)', { default: '7d' }),
    by: textFlag('WHAT', 'Group by tool or by server (tool)', {
      default: 'tool',
      completion: ['tool', 'server'],
    }),
    ...stateFlags,
  },
  more: `With --json: { "statistics": [...] }, each with day, server, tool, calls, errors, denied, p50Ms and p95Ms. Interrupted calls count as errors, and calls of unknown tools do not count.`,
  async run(io, { values }) {
    const { by, server, since: from } = values
    const since = parseTime('since', from)
    if (by !== 'tool' && by !== 'server') throw usageError('--by must be tool or server')
    const statistics = await withState(
      io,
      values,
      (state) => state?.calls.statistics({ since, by, server }) ?? [],
    )
    print(io, values, { statistics }, () => formatList(toRows(statistics, by), 'No tool calls found.'))
  },
})

function toRows(statistics: readonly CallStatistics[], by: 'server' | 'tool'): Cell[][] {
  const tools = by === 'tool' ? ['TOOL'] : []
  return [
    headerOf('DAY', 'SERVER', ...tools, 'CALLS', 'ERRORS', 'DENIED', 'P50', 'P95'),
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
