import { openStoredHistory, OstlerError, type History, type LogFields, type Logger } from '@ostler/agent-api'
import { toShown } from '../terminal/format-table.ts'
import { stateDirOf } from './state-dir.ts'

/** What a command has to say beside its answer: one line each, on stderr. */
export const commandLogger: Logger = { error: say, warn: say, info() {}, debug() {} }

export function requireStateDir(flag: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  const stateDir = stateDirOf(flag, env)
  if (stateDir === undefined) throw new OstlerError('history.no_place', 'There is no place for state. Name one with --state-dir.')
  return stateDir
}

/** Lends the history of a state directory; undefined where nothing is kept yet: looking creates nothing. */
export async function withState<T>(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  work: (history: History | undefined) => T | Promise<T>,
): Promise<T> {
  const history = openStoredHistory({ stateDir: requireStateDir(flag, env), logger: commandLogger })
  try {
    return await work(history)
  } finally {
    history?.[Symbol.dispose]()
  }
}

function say(message: string, fields?: LogFields): void {
  const error = typeof fields?.['error'] === 'string' ? `: ${fields['error']}` : ''
  process.stderr.write(`ostler: ${toShown(`${message}${error}`).replaceAll('\n', ' ')}\n`)
}
