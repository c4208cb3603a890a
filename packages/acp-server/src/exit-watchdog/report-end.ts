import fs from 'node:fs'
import { appendWithoutWaiting, toLogLine } from './log-line.ts'
import { openDescriptorPoll } from './descriptor-poll.ts'

export interface EndReport {
  readonly message: string
  readonly errorOutput: number
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
}

/** Reports why the process ends, everywhere a person may look. Skips places that cannot be written. */
export async function reportEnd({ message, errorOutput, logFile, stateDir }: EndReport): Promise<void> {
  say(() => logFile !== undefined && fs.writeSync(fs.openSync(logFile, appendWithoutWaiting, 0o600), toLogLine('error', message)))
  // A full pipe would block forever.
  say(() => openDescriptorPoll(errorOutput).isWritable() && fs.writeSync(errorOutput, `ostler: ${message}\n`))
  if (stateDir === undefined) return
  const { recordEnd } = await import('./record-end.ts')
  await recordEnd(stateDir, message).catch(() => undefined)
}

function say(words: () => unknown): void {
  try {
    words()
  } catch {
    // There is no other place to report it.
  }
}
