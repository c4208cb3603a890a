import type { CallQuery, StoredCall } from './call.ts'
import type { Calls } from './calls.ts'

const callsAtOnce = 50

/** The selected calls in full, newest first. Only a few are in memory at a time. */
export function* readCalls(calls: Calls, filter: Omit<CallQuery, 'limit' | 'before'>): Generator<StoredCall> {
  let before: number | undefined
  for (;;) {
    const page = calls.list({ ...filter, limit: callsAtOnce, before })
    for (const { id } of page) {
      const call = calls.find(id)
      if (call !== undefined) yield call
    }
    before = page.at(-1)?.seq
    if (before === undefined || page.length < callsAtOnce) return
  }
}
