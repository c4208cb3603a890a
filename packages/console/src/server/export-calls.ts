import {
  toPlainText,
  type Strike,
  readCalls,
  type CallQuery,
  type Calls,
  type StoredCall,
} from '@ostler/agent-api/internal'

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
  calls: Calls,
  filter: Omit<CallQuery, 'limit' | 'before'>,
  format: ExportFormat,
  strike: Strike,
): AsyncGenerator<string, void, undefined> {
  yield format === 'csv' ? toCsvLine(columns) : '[\n'
  let isFirst = true
  for (const call of readCalls(calls, filter)) {
    const clean = strike(call)
    yield format === 'csv'
      ? toCsvLine(columns.map((column) => toText(clean, column)))
      : `${isFirst ? '' : ',\n'}${JSON.stringify(clean)}`
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

/** An RFC 4180 record. Cells that begin with `=+-@` are quoted, because a spreadsheet would run them as formulas. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => toCell(typeof cell === 'string' ? harmless(cell) : cell)).join(',')}\r\n`
}

function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
