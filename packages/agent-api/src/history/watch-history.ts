import type { Logger } from '../base/logger.ts'
import { tellListeners } from '../base/tell-listeners.ts'
import type { Journal } from './journal.ts'

/** How soon a change is told. */
const pollMs = 250

/** Calls the listeners after something was written, by this process or another. Costs nothing while nobody listens. */
export function createHistoryWatch(journal: Pick<Journal, 'read' | 'writes'>, logger: Logger) {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let seen = ''

  return {
    watch(listener: () => void): () => void {
      // Another function each time: the same one may be given twice.
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

  /** SQLite counts what other connections write, and we what this one does. */
  function state(): string {
    try {
      return `${journal.writes} ${journal.read((statements) => Number(statements.get('PRAGMA data_version')?.['data_version']))}`
    } catch {
      return seen
    }
  }
}
