import type { SessionSummary } from '@ostler/agent-api'
import { defineCommand, limitFlag, stateFlags, textFlag } from '../../command-line/command.ts'
import { parseCount } from '../../command-line/parse-values.ts'
import { withState } from '../../state/with-state.ts'
import { toPath } from '../../state/places.ts'
import { findSession, toShortId } from '../../state/find-by-prefix.ts'
import { formatTime } from '../../terminal/format-time.ts'
import { formatList, headerOf, printPage } from '../../terminal/print.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: 'Lists the conversations, most recently used first.',
  flags: {
    cwd: textFlag('DIR', 'Only sessions of this directory', { completion: 'directory' }),
    limit: limitFlag,
    after: textFlag('ID', 'Only results after this one: the "next" value of --json'),
    ...stateFlags,
  },
  more: `With --json: { "sessions": [...], "next": ID or null }. If "next" is an ID, pass it to --after for the next page.`,
  async run(io, { values }) {
    const { cwd, after } = values
    const limit = parseCount('limit', values.limit)
    const found = await withState(io, values, (state) => {
      const from = after === undefined ? undefined : findSession(state, after)
      return state?.sessions.list({ limit: limit + 1, cwd: toPath(io, cwd), after: from }) ?? []
    })
    const sessions = found.slice(0, limit)
    const next = found.length > limit ? (sessions.at(-1)?.id ?? null) : null
    printPage(io, values, { sessions, next }, () => formatSessions(sessions))
  },
})

function formatSessions(sessions: readonly SessionSummary[]): string {
  const header = headerOf('ID', 'USED', 'TURNS', 'AGENT', 'DIRECTORY', 'TITLE')
  const rows = sessions.map(({ id, updatedAt, turns, agent, cwd, title }) => [
    toShortId(id),
    formatTime(updatedAt),
    String(turns),
    agent,
    cwd,
    title ?? '',
  ])
  return formatList([header, ...rows], 'No sessions found.')
}
