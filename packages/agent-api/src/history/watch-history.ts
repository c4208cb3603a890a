import type { Logger } from '../base/logger.ts'
import { tellListeners } from '../base/tell-listeners.ts'
import type { Journal } from './journal.ts'

/** Maximum delay before listeners are told of a change. */
const pollMs = 250

/** Calls listeners after any write, by this process or another. Does nothing without listeners. */
export function createHistoryWatch(journal: Pick<Journal, 'read' | 'writes'>, logger: Logger) {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let seen = ''

  return {
    watch(listener: () => void): () => void {
      // A new function each time, because the same listener may be added twice.
      const own = () => listener()
      if (listeners.size === 0) start()
      listeners.add(own)
      return () => {
        listeners.delete(own)
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
      tellListeners(listeners, (listener) => listener(), 'the history', logger)
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
