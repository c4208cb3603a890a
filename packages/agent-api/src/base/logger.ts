export const logLevels = ['error', 'warn', 'info', 'debug'] as const
/** The severity of a line, the most severe first. */
export type LogLevel = (typeof logLevels)[number]

/** Fields are for machines and must not contain secrets. As a second line of defence, every sink redacts them. */
export type LogFields = Readonly<Record<string, unknown>>
/** Receives the lines of a log. The default drops them. */
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} }

/** Bounds the log and the set of known messages for a server that keeps changing its names. */
const messagesMax = 100

export function createWarnOnce(logger: Logger): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.size >= messagesMax || told.has(message)) return
    told.add(message)
    logger.warn(message)
  }
}
