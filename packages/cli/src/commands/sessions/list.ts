import { OstlerError, type SessionSummary } from '@ostler/agent-api'
import type { State } from '@ostler/agent-api/internal'
import { defineCommand } from '../../command-line/command.ts'
import { parseCount } from '../../command-line/parse-values.ts'
import { jsonFlag, stateDirFlag } from '../../command-line/shared-flags.ts'
import { withState } from '../../state/with-state.ts'
import { toPath } from '../../state/places.ts'
import { toShortId } from '../../state/find-by-prefix.ts'
import { formatTime } from '../../terminal/format-time.ts'
import { formatTable, headerOf, toShown, type Cell } from '../../terminal/format-table.ts'
import { printJson } from '../../terminal/print-json.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: 'Lists the conversations, most recently used first.',
  flags: {
    cwd: { type: 'string', value: 'DIR', help: 'Only sessions of this directory', completion: 'directory' },
    limit: { type: 'string', default: '50', value: 'N', help: 'The maximum number of results (50)' },
    after: { type: 'string', value: 'ID', help: 'Only results after this one: the "next" value of --json' },
    json: jsonFlag,
    'state-dir': stateDirFlag,
  },
  more: `With --json: { "sessions": [...], "next": ID or null }. If "next" is an ID, pass it to --after for the next page.`,
  async run(io, { values }) {
    const { cwd, after, json } = values
    const limit = parseCount('limit', values.limit)
    const found = await withState(io, values, (state) => {
      const from = after === undefined ? undefined : findSession(state, after)
      const query = {
        limit: limit + 1,
        ...(cwd !== undefined && { cwd: toPath(io, cwd) }),
        after: from,
      }
      return state?.sessions.list(query) ?? []
    })
    const sessions = found.slice(0, limit)
    const next = found.length > limit ? (sessions.at(-1)?.id ?? null) : null
    if (json) printJson(io, { sessions, next })
    else if (sessions.length === 0) io.stdout.write('No sessions found.\n')
    else io.stdout.write(`${formatSessions(sessions)}\n`)
    if (!json && next !== null && io.stderr.isTTY === true)
      io.stderr.write('There are more. Use --limit to show them.\n')
    return 0
  },
})

function findSession(state: State | undefined, id: string): SessionSummary {
  const session = state?.sessions.find(id)
  if (session === undefined)
    throw new OstlerError(
      'history.unknown',
      `There is no session '${toShown(id)}'. \`ostler sessions\` lists them.`,
    )
  return session
}

function formatSessions(sessions: readonly SessionSummary[]): string {
  const header = headerOf('ID', 'USED', 'TURNS', 'AGENT', 'DIRECTORY', 'TITLE')
  const rows = sessions.map(({ id, updatedAt, turns, agent, cwd, title }): Cell[] => [
    toShortId(id),
    formatTime(updatedAt),
    String(turns),
    agent,
    cwd,
    title ?? '',
  ])
  return formatTable([header, ...rows])
}
