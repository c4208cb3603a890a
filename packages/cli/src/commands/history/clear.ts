import { counted, type State } from '@ostler/agent-api/internal'
import { defineCommand } from '../../command-line/command.ts'
import { parseTime } from '../../command-line/parse-values.ts'
import { jsonFlag, stateDirFlag, yesFlag } from '../../command-line/shared-flags.ts'
import { usageError } from '../../command-line/usage-error.ts'
import { withState } from '../../state/with-state.ts'
import type { Io } from '../../terminal/io.ts'
import { confirm, hasPerson } from '../../terminal/ask.ts'
import { printJson } from '../../terminal/print-json.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: `Deletes finished calls of all agents of a state directory. Conversations are kept. It asks first; without a terminal, it needs
  --yes.`,
  flags: {
    before: { type: 'string', value: 'WHEN', help: 'Only calls older than this: 30d, 2w, 2026-11-01' },
    yes: yesFlag,
    json: jsonFlag,
    'state-dir': stateDirFlag,
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
    if (json) printJson(io, { deleted: 0 })
    else io.stdout.write('No tool calls found.\n')
    return 0
  }
  if (!yes && !(await confirm(`Delete ${counted(count, 'tool call')} with arguments and results?`, io))) {
    io.stderr.write('Nothing was deleted.\n')
    return 1
  }
  const deleted = await state.calls.deleteEnded(before)
  if (json) printJson(io, { deleted })
  else io.stdout.write(`Deleted ${counted(deleted, 'tool call')}.\n`)
  return 0
}
