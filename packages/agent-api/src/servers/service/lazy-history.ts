import { OstlerError } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { createStoredHistory, openStoredHistory, type HistoryOptions } from '../../history/open-history.ts'

/** The history of a state directory that need not exist yet. */
export interface LazyHistory extends Disposable {
  /** Undefined if there is no state. */
  find(): History | undefined
  /** Creates the state if it does not exist. Throws `history.*` if it cannot be written. */
  writable(): History
}

export function openLazyHistory(options: HistoryOptions & { readonly stateDir: string }): LazyHistory {
  let opened: History | undefined
  const find = () => (opened ??= openStoredHistory(options))
  return {
    find,
    writable() {
      opened = find() ?? createStoredHistory(options)
      if (!opened.journal.isReadOnly) return opened
      throw new OstlerError(
        'history.unwritable',
        `The state directory ${options.stateDir} can be read, but not written. Check its permissions, and the space on its disk.`,
      )
    },
    [Symbol.dispose]: () => opened?.[Symbol.dispose](),
  }
}
