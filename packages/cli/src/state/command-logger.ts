import type { LogFields, Logger } from '@ostler/agent-api'
import { toErrorText } from '../terminal/safe-text.ts'

interface CommandLoggerOptions {
  readonly stderr: { write(line: string): unknown }
  /** True if the command shows the notices of a session, which say the same about a `server`. */
  readonly showsNotices?: boolean
}

/** Prints warnings and errors beside the answer of a command, one line each. */
export function commandLogger({ stderr, showsNotices = false }: CommandLoggerOptions): Logger {
  const say = (message: string, fields?: LogFields) => {
    if (showsNotices && fields?.['server'] !== undefined) return
    const error = typeof fields?.['error'] === 'string' ? `: ${fields['error']}` : ''
    stderr.write(`ostler: ${toErrorText(`${message}${error}`).replaceAll('\n', ' ')}\n`)
  }
  return { error: say, warn: say, info() {}, debug() {} }
}
