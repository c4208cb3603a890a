import type { CallSummary } from '@ostler/agent-api'
import { type CallFilterText, matchesFilter } from './call-filter.ts'

export interface CallList {
  /** Newest first. */
  readonly calls: readonly CallSummary[]
  /** New ones that wait until the reader wants them. */
  readonly waiting: readonly CallSummary[]
  /** There are changes that only a search can place. */
  readonly isOutdated: boolean
}

export const emptyCallList: CallList = { calls: [], waiting: [], isOutdated: false }

/**
 * Calls that have changed, put where they belong. One that is in the list stays there, even if the filter would not find it any more: what
 * is being read does not go away. Newer ones go on top, or wait when the reader must not be disturbed; older ones are left for paging.
 */
export function mergeCalls(list: CallList, changed: readonly CallSummary[], filter: CallFilterText, isReading: boolean): CallList {
  const bySeq = new Map(changed.map((call) => [call.seq, call]))
  const update = (call: CallSummary) => bySeq.get(call.seq) ?? call
  const known = new Set([...list.calls, ...list.waiting].map(({ seq }) => seq))
  const newest = list.calls[0]?.seq ?? 0
  const fresh = [...bySeq.values()].filter(({ seq }) => !known.has(seq) && seq > newest)
  const found = fresh.filter((call) => matchesFilter(call, filter) === true)
  const isOutdated = list.isOutdated || fresh.some((call) => matchesFilter(call, filter) === undefined)
  const calls = list.calls.map(update)
  const waiting = newestFirst([...found, ...list.waiting.map(update)])
  return isReading ? { calls, waiting, isOutdated } : { calls: [...waiting, ...calls], waiting: [], isOutdated }
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
