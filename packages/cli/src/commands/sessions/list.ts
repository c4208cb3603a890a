import { resolve } from 'node:path'
import { OstlerError, type History, type SessionSummary } from '@ostler/agent-api'
import { readCommandLine } from '../../command-line/command-line.ts'
import { toShortId } from '../../state/find-by-prefix.ts'
import { formatTime } from '../../terminal/format-quantity.ts'
import { formatTable, toShown, type Cell } from '../../terminal/format-table.ts'
import { withState } from '../../state/open-state.ts'
import { parseCount } from '../../command-line/parse-count.ts'
import { printJson } from '../../terminal/print-json.ts'
import { sessionsListCommand } from '../specs/sessions.ts'

export async function runSessionsList(args: readonly string[]): Promise<number> {
  const line = readCommandLine(sessionsListCommand, args)
  if (line === undefined) return 0
  const { cwd, after, json } = line.values
  const limit = parseCount(sessionsListCommand, 'limit', line.values.limit)
  const found = await withState(line.values['state-dir'], process.env, (history) => {
    const from = after === undefined ? undefined : findSession(history, after)
    const query = { limit: limit + 1, ...(cwd !== undefined && { cwd: resolve(cwd) }), ...(from && { after: from }) }
    return history?.listSessions(query) ?? []
  })
  const sessions = found.slice(0, limit)
  const next = found.length > limit ? (sessions.at(-1)?.id ?? null) : null
  if (json) printJson({ sessions, next })
  else if (sessions.length === 0) process.stdout.write('There are no such sessions.\n')
  else process.stdout.write(`${formatSessions(sessions)}\n`)
  if (!json && next !== null && process.stderr.isTTY) process.stderr.write('There are more: --limit shows them.\n')
  return 0
}

function findSession(history: History | undefined, id: string): SessionSummary {
  const session = history?.findSession(id)
  if (session === undefined) throw new OstlerError('history.unknown', `There is no session '${toShown(id)}'.`)
  return session
}

function formatSessions(sessions: readonly SessionSummary[]): string {
  const header = ['ID', 'USED', 'TURNS', 'AGENT', 'DIRECTORY', 'TITLE'].map((text): Cell => ({ text, style: 'bold' }))
  const rows = sessions.map(({ id, updatedAt, turns, agent, cwd, title }): Cell[] => [
    toShortId(id),
    formatTime(updatedAt),
    String(turns),
    agent,
    cwd,
    title ?? { text: 'untitled', style: 'dim' },
  ])
  return formatTable([header, ...rows])
}
