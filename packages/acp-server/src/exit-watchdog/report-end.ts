import fs from 'node:fs'
import { appendWithoutWaiting, toLogLine } from '../log-line.ts'
import { openDescriptorPoll } from './descriptor-poll.ts'

export interface EndReport {
  readonly message: string
  readonly errorOutput: number
  readonly logFile: string | undefined
  readonly stateDir: string | undefined
}

/** Says why the process ends in every place where a person may look. A place that cannot be written to is left out. */
export async function reportEnd({ message, errorOutput, logFile, stateDir }: EndReport): Promise<void> {
  say(() => logFile !== undefined && fs.writeSync(fs.openSync(logFile, appendWithoutWaiting, 0o600), toLogLine('error', message)))
  // A pipe that is full would hold this up for ever.
  say(() => openDescriptorPoll(errorOutput).isWritable() && fs.writeSync(errorOutput, `ostler: ${message}\n`))
  if (stateDir === undefined) return
  const { recordEnd } = await import('../record-end.ts')
  await recordEnd(stateDir, message).catch(() => undefined)
}

function say(words: () => unknown): void {
  try {
    words()
  } catch {
    // There is nobody to tell.
  }
}
