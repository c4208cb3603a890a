import { OstlerError, type SessionSummary } from '@ostler/agent-api'
import { counted, type State } from '@ostler/agent-api/internal'
import { defineCommand, stateFlags, switchFlag, usageError, yesFlag } from '../../command-line/command.ts'
import { withState } from '../../state/with-state.ts'
import type { Io } from '../../terminal/io.ts'
import { confirm, hasPerson } from '../../terminal/ask.ts'
import { findSessionByPrefix, toShortId } from '../../state/find-by-prefix.ts'
import { formatTime } from '../../terminal/format-time.ts'
import { formatTable, print } from '../../terminal/print.ts'

export const command = defineCommand({
  synopsis: ['ID... [options]'],
  about: 'Deletes conversations and their calls. It asks first; without a terminal, it needs --yes.',
  flags: {
    yes: yesFlag,
    force: switchFlag('Also delete sessions open in an editor. They continue without their earlier messages'),
    ...stateFlags,
  },
  words: ['session'],
  async run(io, { values, words }) {
    const { yes, force, json } = values
    if (words.length === 0) throw usageError('delete needs the IDs of sessions')
    if (!yes && !hasPerson(io)) throw usageError('without a terminal, delete needs --yes')
    return withState(io, values, async (state) => {
      const found = words.map((id) => findSessionByPrefix(state, id))
      const sessions = [...new Map(found.map((session) => [session.id, session])).values()]
      if (!force) refuseOpen(state, sessions)
      return remove(io, state, sessions, { isSure: yes, json })
    })
  },
})

/** In an editor, the next prompt would start such a session again from nothing. */
function refuseOpen(state: State | undefined, sessions: readonly SessionSummary[]): void {
  const open = sessions
    .filter(({ id }) => state?.presence.isSessionOpen(id) === true)
    .map(({ id }) => toShortId(id))
  if (open.length === 0) return
  const [subject, object] =
    open.length === 1 ? [`Session ${open[0]} is`, 'it'] : [`Sessions ${open.join(', ')} are`, 'them']
  throw new OstlerError(
    'session.open',
    `${subject} open in an editor. Close ${object} there first, or use --force to delete ${object} anyway.`,
  )
}

async function remove(
  io: Io,
  state: State | undefined,
  sessions: readonly SessionSummary[],
  { isSure, json }: { readonly isSure: boolean; readonly json: boolean },
): Promise<number> {
  if (!isSure) {
    io.stderr.write(
      `${formatTable(sessions.map(({ id, updatedAt, title }) => [toShortId(id), formatTime(updatedAt), title ?? 'untitled']))}\n`,
    )
    const question = `Delete ${counted(sessions.length, 'session')} and all ${sessions.length === 1 ? 'its' : 'their'} data?`
    if (!(await confirm(question, 'Nothing was deleted.', io))) return 1
  }
  const deleted: string[] = []
  for (const { id } of sessions) if ((await state?.sessions.delete(id)) === true) deleted.push(id)
  print(io, { json }, { deleted }, () => `Deleted ${deleted.join(', ')}.`)
  return 0
}
