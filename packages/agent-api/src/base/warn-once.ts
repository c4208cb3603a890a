import type { Logger } from './logger.ts'

/** A server that keeps changing its names would otherwise fill the log, and the memory of what was said. */
const messagesMax = 100

/** Logs each message once, up to a limit. */
export function createWarnOnce(logger: Logger): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.size >= messagesMax || told.has(message)) return
    told.add(message)
    logger.warn(message)
  }
}
