import type { LogFields, Logger } from '@ostler/agent-api'
import { toShown } from '../terminal/format-table.ts'

/** Prints warnings and errors beside the answer of a command, one line each. */
export function commandLogger({ stderr }: { readonly stderr: { write(line: string): unknown } }): Logger {
  const say = (message: string, fields?: LogFields) => {
    const error = typeof fields?.['error'] === 'string' ? `: ${fields['error']}` : ''
    stderr.write(`ostler: ${toShown(`${message}${error}`).replaceAll('\n', ' ')}\n`)
  }
  return { error: say, warn: say, info() {}, debug() {} }
}
