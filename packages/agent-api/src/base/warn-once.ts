import type { Logger } from './logger.ts'

/** Bounds the log and the set of known messages for a server that keeps changing its names. */
const messagesMax = 100

/** Returns a function that logs each distinct message once, up to a limit. */
export function createWarnOnce(logger: Logger): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.size >= messagesMax || told.has(message)) return
    told.add(message)
    logger.warn(message)
  }
}
