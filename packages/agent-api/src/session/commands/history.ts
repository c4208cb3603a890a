import { formatDuration } from '../../base/quantities.ts'
import { type CallSummary, toRanMs } from '../../state/calls/call.ts'
import { usageOf, type AnswerCommand } from './command.ts'
import { toMarkdownTable } from './markdown-table.ts'

const shownDefault = 20
const shownMax = 200
const reasonCharsMax = 80

export const historyCommand: AnswerCommand = {
  type: 'answer',
  name: 'history',
  description: 'Show the last tool calls of this session',
  hint: '[number]',
  isImmediate: true,
  async answer({ record }, input) {
    const limit = input === '' ? shownDefault : Number(input)
    if (!Number.isInteger(limit) || limit < 1 || limit > shownMax)
      return `${usageOf(historyCommand)}, from 1 to ${shownMax}`
    const { id, state } = record
    await state.flushed()
    const calls = state.calls.list({ sessionId: id, limit })
    if (calls.length === 0) return 'This session has no tool calls.'
    return toMarkdownTable(['time', 'tool', 'result', 'took', 'permission'], calls.toReversed().map(toRow))
  },
}

function toRow(call: CallSummary) {
  const { startedAt, server, tool, status, decision, rule, error } = call
  const ranMs = toRanMs(call)
  const name = server === null ? tool : `${server}:${tool}`
  return [
    new Date(startedAt).toLocaleTimeString('en-GB'),
    { code: name },
    error === null || error === status ? status : `${status}: ${reasonOf(error)}`,
    ranMs === null ? '' : formatDuration(ranMs),
    decision === null ? '' : `${decision} (${rule ?? ''})`,
  ]
}

/** An error begins with its reason, except that of a command, which begins with the output. */
function reasonOf(error: string): string {
  const [, reason = error] = /^(?:```[^]*```|\[no output\])\s*([^]+)$/.exec(error) ?? []
  const line = reason.split('\n')[0] ?? ''
  return line.length > reasonCharsMax ? `${line.slice(0, reasonCharsMax - 1).trimEnd()}…` : line
}
