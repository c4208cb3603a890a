import type { CallSummary } from '@ostler/agent-api'
import type { CallFilter } from '../../../api.ts'

const names = ['session', 'turn', 'server', 'tool', 'status', 'since', 'until', 'text'] as const

/** What the list is filtered by, as the address of the page says it and as the console is asked for it. */
export type CallFilterText = Readonly<Partial<Record<(typeof names)[number], string>>>

/** Stands for the calls of tools without one. */
export const noServer = '-'

export const statuses = [
  'pending',
  'running',
  'success',
  'error',
  'denied',
  'cancelled',
  'interrupted',
] as const satisfies readonly CallFilter['status'][]

export function parseCallFilter(query: URLSearchParams): CallFilterText {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Whether a call that came by itself belongs in the list. Undefined when only a search in the database could tell. */
export function matchesFilter(call: CallSummary, filter: CallFilterText): boolean | undefined {
  const isIn =
    (filter.session === undefined || call.sessionId === filter.session) &&
    (filter.turn === undefined || String(call.turn) === filter.turn) &&
    (filter.server === undefined || (call.server ?? noServer) === filter.server) &&
    (filter.tool === undefined || call.tool === filter.tool) &&
    (filter.status === undefined || call.status === filter.status) &&
    (filter.since === undefined || call.startedAt >= filter.since) &&
    (filter.until === undefined || call.startedAt <= filter.until)
  return isIn && filter.text !== undefined ? undefined : isIn
}
