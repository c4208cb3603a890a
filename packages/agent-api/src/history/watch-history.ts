import type { Logger } from '../base/logger.ts'
import { createListeners } from '../base/listeners.ts'
import type { Journal } from './journal.ts'

/** Maximum delay before listeners are told of a change. */
const pollMs = 50

/** Calls listeners after any write, by this process or another. Does nothing without listeners. */
export function createHistoryWatch(journal: Pick<Journal, 'read' | 'writes'>, logger: Logger) {
  const listeners = createListeners('the history', logger)
  let timer: NodeJS.Timeout | undefined
  let seen = ''

  return {
    watch(listener: () => void): () => void {
      if (listeners.size === 0) start()
      const remove = listeners.add(listener)
      return () => {
        remove()
        if (listeners.size === 0) clearInterval(timer)
      }
    },
    [Symbol.dispose]() {
      listeners.clear()
      clearInterval(timer)
    },
  }

  function start(): void {
    seen = state()
    timer = setInterval(() => {
      const now = state()
      if (now === seen) return
      seen = now
      listeners.tell()
    }, pollMs).unref()
  }

  /** SQLite counts writes of other connections; the journal counts those of this process. */
  function state(): string {
    try {
      return `${journal.writes} ${journal.read((statements) => Number(statements.get('PRAGMA data_version')?.['data_version']))}`
    } catch {
      return seen
    }
  }
}
