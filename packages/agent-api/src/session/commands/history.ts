import type { CallSummary } from '../../history/call.ts'
import { toRanMs } from '../../history/ran-ms.ts'
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
  async answer({ agent, id }, input) {
    const limit = input === '' ? shownDefault : Number(input)
    if (!Number.isInteger(limit) || limit < 1 || limit > shownMax) return `${usageOf(historyCommand)}, from 1 to ${shownMax}`
    await agent.history.journal.flushed()
    const calls = agent.history.listCalls({ sessionId: id, limit })
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
    error === null ? status : `${status}: ${reasonOf(error).slice(0, reasonCharsMax)}`,
    ranMs === null ? '' : ranMs < 1_000 ? `${Math.round(ranMs)} ms` : `${(ranMs / 1_000).toFixed(1)} s`,
    decision === null ? '' : `${decision} (${rule ?? ''})`,
  ]
}

/** An error begins with its reason, except that of a command, which begins with the output. */
function reasonOf(error: string): string {
  const [, reason = error] = /^(?:```[^]*```|\[no output\])\s*([^]+)$/.exec(error) ?? []
  return reason.split('\n')[0] ?? ''
}
