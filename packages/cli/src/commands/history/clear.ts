import type { History } from '@ostler/agent-api'
import { confirm, hasPerson, ownTerminal } from '../../terminal/ask.ts'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { formatCount } from '../../terminal/format-quantity.ts'
import { withState } from '../../state/open-state.ts'
import { parseSince } from '../../command-line/parse-since.ts'
import { historyClearCommand } from '../specs/history.ts'

export async function runHistoryClear(args: readonly string[]): Promise<number> {
  const line = readCommandLine(historyClearCommand, args)
  if (line === undefined) return 0
  const { yes, before } = line.values
  const until = before === undefined ? undefined : parseSince(before)
  if (before !== undefined && until === undefined)
    throw usageError(historyClearCommand, `--before must be like 30d, 2w, 2026-11-01 or 2026-11-01T08:30, and is '${before}'`)
  if (!yes && !hasPerson(ownTerminal())) throw usageError(historyClearCommand, 'without a terminal to ask on, clear needs --yes')
  return withState(line.values['state-dir'], process.env, (history) => clear(history, until, yes))
}

async function clear(history: History | undefined, before: string | undefined, isSure: boolean): Promise<number> {
  const count = history?.countEndedCalls(before) ?? 0
  if (history === undefined || count === 0) {
    process.stdout.write('There are no such tool calls.\n')
    return 0
  }
  if (!isSure && !(await confirm(`Delete ${formatCount(count, 'tool call')} with arguments and results?`, ownTerminal()))) {
    process.stderr.write('Nothing was deleted.\n')
    return 1
  }
  process.stdout.write(`Deleted ${formatCount(await history.deleteEndedCalls(before), 'tool call')}.\n`)
  return 0
}
