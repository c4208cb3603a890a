import type { CallQuery, StoredCall } from './call.ts'
import type { History } from './history.ts'

const callsAtOnce = 50

/** The selected calls in full, newest first. Only a few are in memory at a time. */
export function* readCalls(
  history: Pick<History, 'listCalls' | 'findCall'>,
  filter: Omit<CallQuery, 'limit' | 'before'>,
): Generator<StoredCall> {
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
