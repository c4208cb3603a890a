import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from './usage-error.ts'

/** `parseArgs`, with its complaints as usage errors. */
export function parseFlags<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Its first sentence says what is wrong; the rest is advice for other programs.
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0] ?? error.message, usage)
    throw error
  }
}
