import { counted, type State } from '@ostler/agent-api/internal'
import { defineCommand, stateFlags, textFlag, usageError, yesFlag } from '../../command-line/command.ts'
import { parseTime } from '../../command-line/parse-values.ts'
import { withState } from '../../state/with-state.ts'
import type { Io } from '../../terminal/io.ts'
import { confirm, hasPerson } from '../../terminal/ask.ts'
import { print } from '../../terminal/print.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: `Deletes finished calls of all agents of a state directory. Conversations are kept. It asks first; without a terminal, it needs
  --yes.`,
  flags: {
    before: textFlag('WHEN', 'Only calls older than this: 30d, 2w, 2026-11-01'),
    yes: yesFlag,
    ...stateFlags,
  },
  async run(io, { values }) {
    const { before } = values
    const until = before === undefined ? undefined : parseTime('before', before)
    if (!values.yes && !hasPerson(io)) throw usageError('without a terminal, clear needs --yes')
    return withState(io, values, (state) => clear(io, state, until, values))
  },
})

async function clear(
  io: Io,
  state: State | undefined,
  before: string | undefined,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
): Promise<number> {
  const count = state?.calls.countEnded(before) ?? 0
  if (state === undefined || count === 0) {
    print(io, { json }, { deleted: 0 }, () => 'No tool calls found.')
    return 0
  }
  const question = `Delete ${counted(count, 'tool call')} with arguments and results?`
  if (!yes && !(await confirm(question, 'Nothing was deleted.', io))) return 1
  const deleted = await state.calls.deleteEnded(before)
  print(io, { json }, { deleted }, () => `Deleted ${counted(deleted, 'tool call')}.`)
  return 0
}
