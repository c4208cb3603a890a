import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

/** One that throws keeps neither the others from hearing of it nor whoever tells them from going on. */
export function tellListeners<L>(listeners: Iterable<L>, tell: (listener: L) => void, of: string, logger: Logger): void {
  for (const listener of listeners) {
    try {
      tell(listener)
    } catch (error) {
      logger.error(`a listener to ${of} failed`, { error: messageOf(error) })
    }
  }
}
