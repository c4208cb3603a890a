import { constants } from 'node:fs'
import type { LogLevel } from '@ostler/agent-api'

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
/** Flags for opening a log file. A pipe in its place fails instead of blocking. */
export const appendWithoutWaiting = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK

export function toLogLine(level: LogLevel, message: string, fields = ''): string {
  const text = `${new Date().toISOString()} ${level} ${message}${fields === '' ? '' : ` ${fields}`}`
  return `${text.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`)}\n`
}
