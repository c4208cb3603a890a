import type { LogLevel } from '@ostler/agent-api'

/** A record of the log as it is written: one line, whatever is in it. */
export function toLogLine(level: LogLevel, message: string, fields = ''): string {
  const text = `${new Date().toISOString()} ${level} ${message}${fields === '' ? '' : ` ${fields}`}`
  return `${text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`)}\n`
}
