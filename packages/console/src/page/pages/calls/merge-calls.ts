import type { CallSummary } from '../../../api.ts'
import { type CallFilterText, matchesFilter } from './call-filter.ts'

export interface CallList {
  /** Newest first. */
  readonly calls: readonly CallSummary[]
  readonly waiting: readonly CallSummary[]
  /** True if a changed call may match, and only the database can tell. */
  readonly isOutdated: boolean
}

export const emptyCallList: CallList = { calls: [], waiting: [], isOutdated: false }

/**
 * Merges changed calls into the list. A listed call stays, even if it no longer matches the filter, so that nothing disappears while it is
 * read. Newer calls go on top, or wait while the person is reading. Older ones are left to paging.
 */
export function mergeCalls(
  list: CallList,
  changed: readonly CallSummary[],
  filter: CallFilterText,
  isReading: boolean,
): CallList {
  const bySeq = new Map(changed.map((call) => [call.seq, call]))
  const update = (call: CallSummary) => bySeq.get(call.seq) ?? call
  const known = new Set([...list.calls, ...list.waiting].map(({ seq }) => seq))
  const newest = list.calls[0]?.seq ?? 0
  const fresh = [...bySeq.values()].filter(({ seq }) => !known.has(seq) && seq > newest)
  const found = fresh.filter((call) => matchesFilter(call, filter) === true)
  const isOutdated = list.isOutdated || fresh.some((call) => matchesFilter(call, filter) === undefined)
  const waiting = newestFirst([...found, ...list.waiting.map(update)])
  const merged = { calls: list.calls.map(update), waiting, isOutdated }
  return isReading ? merged : showWaiting(merged)
}

export function showWaiting({ calls, waiting, isOutdated }: CallList): CallList {
  return { calls: [...waiting, ...calls], waiting: [], isOutdated }
}

export function addOlder(list: CallList, older: readonly CallSummary[]): CallList {
  const known = new Set(list.calls.map(({ seq }) => seq))
  return { ...list, calls: [...list.calls, ...older.filter(({ seq }) => !known.has(seq))] }
}

function newestFirst(calls: readonly CallSummary[]): CallSummary[] {
  return calls.toSorted((one, other) => other.seq - one.seq)
}
