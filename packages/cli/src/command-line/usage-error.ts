import { suggest } from '@ostler/agent-api/internal'
import type { CommandEntry } from './command.ts'

/** The command line is invalid. Ostler exits with code 2, and says where to find the command's help. */
export class UsageError extends Error {
  /** True to print the whole usage of the command. */
  readonly wantsUsage: boolean

  constructor(message: string, wantsUsage: boolean) {
    super(message)
    this.wantsUsage = wantsUsage
  }
}

export function usageError(message: string): UsageError {
  return new UsageError(message, false)
}

/** The command needs a word and has none. */
export function bareError(message: string): UsageError {
  return new UsageError(message, true)
}

export function unknownCommand(
  path: string,
  word: string,
  { subcommands = [] }: Pick<CommandEntry, 'subcommands'>,
): UsageError {
  const names = subcommands.flatMap(({ name, summary }) => (summary === undefined ? [] : [name]))
  const [, ...parents] = path.split(' ')
  return usageError(`unknown command '${[...parents, word].join(' ')}'${suggest(word, names)}`)
}

export function oneOf<T extends string, V extends string | undefined>(
  flag: string,
  value: V,
  known: readonly T[],
): T | Extract<V, undefined> {
  const found = known.find((one: string) => one === value)
  if (value !== undefined && found === undefined)
    throw usageError(`--${flag} must be one of ${known.join(', ')}`)
  return found as T | Extract<V, undefined>
}

/** `a, b or c`. */
export function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
}
