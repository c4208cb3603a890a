import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

/** The error of one listener is logged, and affects neither the others nor the caller. */
export interface Listeners<A extends readonly unknown[] = []> {
  /** Returns a function that removes the listener. The same one may be added twice. */
  readonly add: (listener: (...news: A) => void) => () => void
  readonly tell: (...news: A) => void
  readonly clear: () => void
  readonly size: number
}

/** `of` completes the log message "a listener to … failed". */
export function createListeners<A extends readonly unknown[] = []>(of: string, logger: Logger): Listeners<A> {
  const listeners = new Set<(...news: A) => void>()
  return {
    add(listener) {
      const own = (...news: A) => listener(...news)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    tell(...news) {
      for (const listener of listeners) {
        try {
          listener(...news)
        } catch (error) {
          logger.error(`a listener to ${of} failed`, { error: messageOf(error) })
        }
      }
    },
    clear: () => listeners.clear(),
    get size() {
      return listeners.size
    },
  }
}
