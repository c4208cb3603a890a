import type { LogFields, Logger } from '@ostler/agent-api'
import { toErrorText } from '../terminal/to-error-text.ts'

/** Prints warnings and errors beside the answer of a command, one line each. */
export function commandLogger({ stderr }: { readonly stderr: { write(line: string): unknown } }): Logger {
  const say = (message: string, fields?: LogFields) => {
    const error = typeof fields?.['error'] === 'string' ? `: ${fields['error']}` : ''
    stderr.write(`ostler: ${toErrorText(`${message}${error}`).replaceAll('\n', ' ')}\n`)
  }
  return { error: say, warn: say, info() {}, debug() {} }
}
