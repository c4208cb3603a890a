export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** Fields are for machines and must not contain secrets. As a second line of defence, every sink redacts them. */
export type LogFields = Readonly<Record<string, unknown>>
export type Logger = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>

export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} }
