import type { CallSummary } from '../../../api.ts'
import { parseRule } from '@ostler/agent-api/browser'

const names = ['session', 'turn', 'server', 'tool', 'status', 'since', 'until', 'text'] as const

/** The filter of the list, as in the page's address and in requests. */
export type CallFilterText = Readonly<Partial<Record<(typeof names)[number], string>>>

export const noServer = '-'

/** An action of a person in the console. A model may invent a tool of such a name. */
export function isConsoleAction({
  server,
  tool,
  rule,
}: Pick<CallSummary, 'server' | 'tool' | 'rule'>): boolean {
  return (
    server === null && tool.startsWith(consolePrefix) && (rule === null || parseRule(rule).by !== 'unknown')
  )
}

export const consolePrefix = 'console:'

export function parseCallFilter(query: URLSearchParams): CallFilterText {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Whether a call from the live feed matches. Undefined if only the database can tell. */
export function matchesFilter(call: CallSummary, filter: CallFilterText): boolean | undefined {
  const isIn =
    (filter.session === undefined || call.sessionId === filter.session) &&
    (filter.turn === undefined || String(call.turn) === filter.turn) &&
    (filter.server === undefined || (call.server ?? noServer) === filter.server) &&
    (filter.server !== noServer || !isConsoleAction(call)) &&
    (filter.tool === undefined || call.tool === filter.tool) &&
    (filter.status === undefined || call.status === filter.status) &&
    (filter.since === undefined || call.startedAt >= filter.since) &&
    (filter.until === undefined || call.startedAt <= filter.until)
  return isIn && filter.text !== undefined ? undefined : isIn
}

export function parseOpenCalls(query: URLSearchParams): readonly string[] {
  return (query.get('open') ?? '').split(',').filter((id) => id !== '')
}

/** Opens or closes this call in the list. */
export function withToggled(open: readonly string[], id: string): string {
  return (open.includes(id) ? open.filter((other) => other !== id) : [...open, id]).join(',')
}
