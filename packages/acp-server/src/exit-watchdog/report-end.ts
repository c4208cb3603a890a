import fs from 'node:fs'
import { promisify } from 'node:util'
import { appendWithoutWaiting, toLogLine } from './log-line.ts'

export interface EndReport {
  readonly message: string
  readonly errorOutput: number
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
}

/**
 * Reports why the process ends, everywhere a person may look. Skips places that cannot be written. Does not settle while the error output
 * is full.
 */
export async function reportEnd({ message, errorOutput, logFile, stateDir }: EndReport): Promise<void> {
  try {
    if (logFile !== undefined)
      fs.writeSync(fs.openSync(logFile, appendWithoutWaiting, 0o600), toLogLine('error', message))
  } catch {
    // There are other places to report it.
  }
  await Promise.allSettled([
    promisify(fs.write)(errorOutput, `ostler: ${message}\n`),
    stateDir !== undefined && import('./record-end.ts').then(({ recordEnd }) => recordEnd(stateDir, message)),
  ])
}
