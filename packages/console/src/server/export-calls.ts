import type { Redactor } from '@ostler/agent-api'
import { redactValue, toPlainText } from '@ostler/agent-api/internal'
import type { CallQuery, History, StoredCall } from '@ostler/agent-api/manage'
import { toCsvLine } from './csv.ts'

export type ExportFormat = 'json' | 'csv'

const callsAtOnce = 50

const columns = [
  'id',
  'startedAt',
  'endedAt',
  'durationMs',
  'status',
  'agent',
  'sessionId',
  'turn',
  'server',
  'tool',
  'decision',
  'rule',
  'arguments',
  'result',
  'error',
] as const

/** Exports the selected calls, newest first. They are streamed, so only a few are in memory. */
export async function* exportCalls(
  history: Pick<History, 'listCalls' | 'findCall'>,
  filter: Omit<CallQuery, 'limit' | 'before'>,
  format: ExportFormat,
  redactor: Redactor,
): AsyncGenerator<string, void, undefined> {
  yield format === 'csv' ? toCsvLine(columns) : '[\n'
  let isFirst = true
  for (const call of readCalls(history, filter)) {
    const clean = redactValue(call, redactor) as StoredCall
    yield format === 'csv' ? toCsvLine(columns.map((column) => toText(clean, column))) : `${isFirst ? '' : ',\n'}${JSON.stringify(clean)}`
    isFirst = false
  }
  if (format === 'json') yield isFirst ? ']\n' : '\n]\n'
}

function* readCalls(history: Pick<History, 'listCalls' | 'findCall'>, filter: Omit<CallQuery, 'limit' | 'before'>): Generator<StoredCall> {
  let before: number | undefined
  for (;;) {
    const page = history.listCalls({ ...filter, limit: callsAtOnce, ...(before !== undefined && { before }) })
    for (const { id } of page) {
      const call = history.findCall(id)
      if (call !== undefined) yield call
    }
    before = page.at(-1)?.seq
    if (before === undefined || page.length < callsAtOnce) return
  }
}

function toText(call: StoredCall, column: (typeof columns)[number]): string | number | null {
  switch (column) {
    case 'arguments':
      return JSON.stringify(call.arguments)
    case 'result':
      return call.result?.content.map(toPlainText).join('\n') ?? null
    default:
      return call[column]
  }
}
