import {
  type CallQuery,
  type CallStatus,
  callStatuses,
  type CallSummary,
  formatDuration,
  type State,
  toRanMs,
} from '@ostler/agent-api/internal'
import {
  defineCommand,
  limitFlag,
  listed,
  oneOf,
  serverFlag,
  stateFlags,
  textFlag,
  usageError,
  type Flags,
  type FlagValues,
} from '../command-line/command.ts'
import { parseCount, parseTime } from '../command-line/parse-values.ts'
import { withState } from '../state/with-state.ts'
import { findSessionByPrefix, toShortId } from '../state/find-by-prefix.ts'
import { formatTime } from '../terminal/format-time.ts'
import { formatList, headerOf, printPage, type Cell, type StyledCell } from '../terminal/print.ts'

const flags = {
  session: textFlag('ID', 'Only calls of this session (ID or prefix)', { completion: 'session' }),
  server: serverFlag,
  tool: textFlag('NAME', 'Only calls of this tool'),
  status: textFlag('STATUS', listed(callStatuses), { completion: callStatuses }),
  since: textFlag('WHEN', 'Only since: 30m, 2h, 7d, 2w, 2026-11-01 or 2026-11-01T08:30'),
  search: textFlag('WORDS', 'Only calls with all these words in names, arguments, results or errors'),
  limit: limitFlag,
  before: textFlag('SEQ', 'Only results before this one: the "next" value of --json'),
  ...stateFlags,
} as const satisfies Flags

type Values = FlagValues<typeof flags>

export const command = defineCommand({
  synopsis: ['[options]', 'show ID [options]', 'stats [options]', 'clear [options]'],
  about: 'Shows the tool calls of all agents of a state directory, newest first.',
  flags,
  more: `With --json: { "calls": [...], "next": SEQ or null }. If "next" is a number, pass it to --before for the next page.`,
  async run(io, { values }) {
    const query = toQuery(values)
    const page = await withState(io, values, (state) => findCalls(state, query, values.session))
    printPage(io, values, page, ({ calls }) => formatCalls(calls))
  },
})

/** Validates the whole command line before anything is opened. */
function toQuery({ server, tool, status: named, since, search, limit, before }: Values): CallQuery {
  const status = oneOf('status', named, callStatuses)
  const from = since === undefined ? undefined : parseTime('since', since)
  if (search !== undefined && !/[\p{L}\p{N}]/u.test(search))
    throw usageError('--search needs at least one word')
  return {
    server,
    tool,
    status,
    since: from,
    text: search,
    before: before === undefined ? undefined : parseCount('before', before, Number.MAX_SAFE_INTEGER),
    limit: parseCount('limit', limit),
  }
}

function findCalls(state: State | undefined, query: CallQuery, session: string | undefined) {
  const sessionId = session === undefined ? undefined : findSessionByPrefix(state, session).id
  const found = state?.calls.list({ ...query, limit: query.limit + 1, sessionId }) ?? []
  const calls = found.slice(0, query.limit)
  return { calls, next: found.length > calls.length ? (calls.at(-1)?.seq ?? null) : null }
}

function formatCalls(calls: readonly CallSummary[]): string {
  const header = headerOf('ID', 'TIME', 'STATUS', 'SERVER', 'TOOL', 'DURATION', 'SESSION', 'DECISION')
  const rows = calls.map(
    ({ id, startedAt, status, server, tool, sessionId, decision, rule, ...times }): Cell[] => [
      toShortId(id),
      formatTime(startedAt),
      toStatusCell(status),
      server ?? '(Ostler)',
      tool,
      toDuration(toRanMs({ status, ...times })),
      sessionId === null ? '' : toShortId(sessionId),
      [decision, rule].filter((part) => part !== null).join(' '),
    ],
  )
  return formatList([header, ...rows], 'No tool calls found.')
}

function toDuration(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms)
}

function toStatusCell(status: CallStatus): Cell {
  const styles: Partial<Record<CallStatus, StyledCell['style']>> = {
    success: 'green',
    error: 'red',
    interrupted: 'red',
    denied: 'yellow',
  }
  const style = styles[status]
  return style === undefined ? status : { text: status, style }
}
