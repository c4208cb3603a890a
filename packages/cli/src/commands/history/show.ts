import { styleText } from 'node:util'
import {
  describeDecision,
  formatBytes,
  formatDuration,
  type State,
  type StoredCall,
  toPlainText,
  toRanMs,
} from '@ostler/agent-api/internal'
import { defineCommand, stateFlags, switchFlag, usageError } from '../../command-line/command.ts'
import { withState } from '../../state/with-state.ts'
import { findCallByPrefix } from '../../state/find-by-prefix.ts'
import { formatFullTime } from '../../terminal/format-time.ts'
import { factRows, formatTable, joinSections, print } from '../../terminal/print.ts'
import { toShown } from '../../terminal/safe-text.ts'

export const command = defineCommand({
  synopsis: ['ID [options]'],
  about: 'Shows a call in full. The ID is from the list; a prefix is enough.',
  flags: {
    whole: switchFlag('Print only the text of the result, in full'),
    ...stateFlags,
  },
  words: ['nothing'],
  needs: 'show needs the ID of a call',
  async run(io, { values, word: id }) {
    if (values.json && values.whole) throw usageError('--json and --whole cannot be used together')
    return withState(io, values, (state) => {
      const call = findCallByPrefix(state, id)
      if (values.whole) for (const part of wholeResult(state, call)) io.stdout.write(part)
      else print(io, values, call, formatCall)
    })
  },
})

const partChars = 64 * 1024

/** The text of a result in parts. A large text is stored separately from its call. */
function* wholeResult(state: State | undefined, { id, sessionId, result }: StoredCall): Iterable<string> {
  const read = (offset: number) =>
    sessionId === null ? undefined : state?.calls.results.read(sessionId, id, { offset, limit: partChars })
  let part = read(0)
  if (part === undefined) {
    yield `${toShown((result?.content ?? []).map(toPlainText).join('\n'))}\n`
    return
  }
  for (; part !== undefined && part.text !== ''; part = read(part.offset + part.text.length))
    yield toShown(part.text)
  yield '\n'
}

function formatCall(call: StoredCall): string {
  const { content = [], structured } = call.result ?? {}
  const text = content.map(toPlainText).join('\n')
  return joinSections([
    formatTable(toRows(call)),
    section('Arguments', toText(call.arguments)),
    // The result contains the error's text, if there is a result.
    call.error !== null && text === '' ? section('Error', call.error) : '',
    call.result === null
      ? ''
      : section(call.error === null ? 'Result' : 'Error', text === '' ? '(nothing)' : text),
    structured === undefined ? '' : section('Structured result', toText(structured)),
  ])
}

/** Shorter waits are not mentioned. */
const noticedWaitMs = 500

function toRows(call: StoredCall): string[][] {
  const { decision, rule, endedAt, sessionId, turn, resultBytes } = call
  const ranMs = toRanMs(call)
  const waitedMs = (call.durationMs ?? 0) - (ranMs ?? 0)
  const cut = isCut(call) ? ', of which the beginning is shown; --whole shows what is kept' : ''
  return factRows([
    ['Call:', `${call.id} (${call.seq})`],
    ['Server:', call.server ?? 'none (a tool of Ostler or of the editor, or an unknown tool)'],
    ['Tool:', call.tool],
    ['Status:', call.status],
    [
      'Decision:',
      decision === null || rule === null ? 'not decided' : `${describeDecision(decision, rule)} (${rule})`,
    ],
    ['Started:', formatFullTime(call.startedAt)],
    ['Ended:', endedAt === null ? undefined : formatFullTime(endedAt)],
    ['Waited:', waitedMs < noticedWaitMs ? undefined : formatDuration(waitedMs)],
    ['Duration:', ranMs === null ? undefined : formatDuration(ranMs)],
    ['Ran:', call.fence ?? undefined],
    ['Agent:', call.agent],
    [
      'Session:',
      sessionId === null || turn === null ? (sessionId ?? undefined) : `${sessionId}, turn ${turn}`,
    ],
    ['Result:', resultBytes === null ? undefined : `${formatBytes(resultBytes)}${cut}`],
  ])
}

function isCut({ result, resultBytes }: StoredCall): boolean {
  return result !== null && resultBytes !== null && Buffer.byteLength(JSON.stringify(result)) < resultBytes
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function section(title: string, text: string): string {
  return `${styleText('bold', title)}\n${toShown(text).replaceAll(/^/gm, '  ').trimEnd()}`
}
