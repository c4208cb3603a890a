import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

/** Calls every listener. If one throws, its error is logged and the others still run. */
export function tellListeners<L>(listeners: Iterable<L>, tell: (listener: L) => void, of: string, logger: Logger): void {
  for (const listener of listeners) {
    try {
      tell(listener)
    } catch (error) {
      logger.error(`a listener to ${of} failed`, { error: messageOf(error) })
    }
  }
}
