import { OstlerError, type History, type SessionSummary } from '@ostler/agent-api'
import { confirm, hasPerson, ownTerminal, type Terminal } from '../../terminal/ask.ts'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { findSessionByPrefix, toShortId } from '../../state/find-by-prefix.ts'
import { formatCount, formatTime } from '../../terminal/format-quantity.ts'
import { formatTable } from '../../terminal/format-table.ts'
import { withState } from '../../state/open-state.ts'
import { sessionsDeleteCommand } from '../specs/sessions.ts'

export async function runSessionsDelete(args: readonly string[]): Promise<number> {
  const line = readCommandLine(sessionsDeleteCommand, args)
  if (line === undefined) return 0
  const { yes, force } = line.values
  const terminal = ownTerminal()
  if (line.words.length === 0) throw usageError(sessionsDeleteCommand, 'delete needs the IDs of sessions')
  if (!yes && !hasPerson(terminal)) throw usageError(sessionsDeleteCommand, 'without a terminal to ask on, delete needs --yes')
  return withState(line.values['state-dir'], process.env, async (history) => {
    const sessions = unique(line.words.map((id) => findSessionByPrefix(history, id)))
    if (!force) refuseOpen(history, sessions)
    return remove(history, sessions, yes ? undefined : terminal)
  })
}

/** Whoever works in it would begin it anew with the next prompt, without what was said before. */
function refuseOpen(history: History | undefined, sessions: readonly SessionSummary[]): void {
  const open = sessions.filter(({ id }) => history?.isSessionOpen(id) === true).map(({ id }) => toShortId(id))
  if (open.length === 0) return
  const [subject, object] = open.length === 1 ? [`Session ${open[0]} is`, 'it'] : [`Sessions ${open.join(', ')} are`, 'them']
  throw new OstlerError(
    'session.open',
    `${subject} open in an editor. Close ${object} there first, or delete ${object} all the same with --force.`,
  )
}

/** Asks on the terminal, if there is one given. */
async function remove(history: History | undefined, sessions: readonly SessionSummary[], terminal: Terminal | undefined): Promise<number> {
  if (terminal !== undefined) {
    process.stderr.write(
      `${formatTable(sessions.map(({ id, updatedAt, title }) => [toShortId(id), formatTime(updatedAt), title ?? 'untitled']))}\n`,
    )
    const question = `Delete ${formatCount(sessions.length, 'session')} with everything that belongs to ${sessions.length === 1 ? 'it' : 'them'}?`
    if (!(await confirm(question, terminal))) {
      process.stderr.write('Nothing was deleted.\n')
      return 1
    }
  }
  const deleted: string[] = []
  for (const { id } of sessions) if ((await history?.deleteSession(id)) === true) deleted.push(id)
  process.stdout.write(`Deleted ${deleted.join(', ')}.\n`)
  return 0
}

function unique(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return [...new Map(sessions.map((session) => [session.id, session])).values()]
}
