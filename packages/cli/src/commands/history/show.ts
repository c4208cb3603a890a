import { styleText } from 'node:util'
import { toPlainText, type StoredCall } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { explainRule } from './explain-rule.ts'
import { findCallByPrefix } from '../../state/find-by-prefix.ts'
import { formatBytes, formatDuration, formatFullTime } from '../../terminal/format-quantity.ts'
import { formatTable, toShown } from '../../terminal/format-table.ts'
import { withState } from '../../state/open-state.ts'
import { printJson } from '../../terminal/print-json.ts'
import { historyShowCommand } from '../specs/history.ts'

export async function runHistoryShow(args: readonly string[]): Promise<number> {
  const line = readCommandLine(historyShowCommand, args)
  if (line === undefined) return 0
  const { values, words } = line
  const [id, ...others] = words
  if (id === undefined || others.length > 0) throw usageError(historyShowCommand, 'show needs the ID of one call')
  const call = await withState(values['state-dir'], process.env, (history) => findCallByPrefix(history, id))
  if (values.json) printJson(call)
  else process.stdout.write(formatCall(call))
  return 0
}

function formatCall(call: StoredCall): string {
  const { content = [], structured } = call.result ?? {}
  const text = content.map(toPlainText).join('\n')
  const sections = [
    formatTable(toRows(call)),
    section('Arguments', toText(call.arguments)),
    // What went wrong is the text of the result, unless there is no result.
    call.error !== null && text === '' ? section('Error', call.error) : '',
    call.result === null ? '' : section(call.error === null ? 'Result' : 'Error', text === '' ? '(nothing)' : text),
    structured === undefined ? '' : section('Structured result', toText(structured)),
  ]
  return `${sections.filter((part) => part !== '').join('\n\n')}\n`
}

function toRows(call: StoredCall): string[][] {
  const { id, seq, server, tool, status, decision, rule, startedAt, endedAt, durationMs, agent, sessionId, turn, resultBytes } = call
  return [
    ['Call:', `${id} (${seq})`],
    ['Server:', server ?? 'none: it is a tool of Ostler or of the editor, or there is no such tool'],
    ['Tool:', tool],
    ['Status:', status],
    ['Decision:', explainRule(decision, rule)],
    ['Started:', formatFullTime(startedAt)],
    ...(endedAt === null ? [] : [['Ended:', formatFullTime(endedAt)]]),
    ...(durationMs === null ? [] : [['Duration:', formatDuration(durationMs)]]),
    ['Agent:', agent],
    ...(sessionId === null ? [] : [['Session:', turn === null ? sessionId : `${sessionId}, turn ${turn}`]]),
    ...(resultBytes === null ? [] : [['Result:', `${formatBytes(resultBytes)}${isCut(call) ? ', of which the beginning is kept' : ''}`]]),
  ]
}

/** What is kept of a result that was too large is less than it was. */
function isCut({ result, resultBytes }: StoredCall): boolean {
  return result !== null && resultBytes !== null && Buffer.byteLength(JSON.stringify(result)) < resultBytes
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function section(title: string, text: string): string {
  return `${styleText('bold', title)}\n${toShown(text).replaceAll(/^/gm, '  ').trimEnd()}`
}
