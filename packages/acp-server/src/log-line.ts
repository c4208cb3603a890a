import { constants } from 'node:fs'
import type { LogLevel } from '@ostler/agent-api'

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
/** How a log file is opened: a pipe in its place fails instead of keeping us waiting. */
export const appendWithoutWaiting = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK

/** A record of the log as it is written: one line, whatever is in it. */
export function toLogLine(level: LogLevel, message: string, fields = ''): string {
  const text = `${new Date().toISOString()} ${level} ${message}${fields === '' ? '' : ` ${fields}`}`
  return `${text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`)}\n`
}
