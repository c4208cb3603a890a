import { toPlainText, type Strike } from '@ostler/agent-api/internal'
import { readCalls, type CallQuery, type History, type StoredCall } from '@ostler/agent-api/manage'
import { toCsvLine } from './csv.ts'

export type ExportFormat = 'json' | 'csv'

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
  strike: Strike,
): AsyncGenerator<string, void, undefined> {
  yield format === 'csv' ? toCsvLine(columns) : '[\n'
  let isFirst = true
  for (const call of readCalls(history, filter)) {
    const clean = strike(call)
    yield format === 'csv' ? toCsvLine(columns.map((column) => toText(clean, column))) : `${isFirst ? '' : ',\n'}${JSON.stringify(clean)}`
    isFirst = false
  }
  if (format === 'json') yield isFirst ? ']\n' : '\n]\n'
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
