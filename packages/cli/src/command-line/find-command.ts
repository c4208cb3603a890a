import { suggest } from '@ostler/agent-api/internal'
import { usageError, type CommandEntry, type UsageError } from './command.ts'

export interface FoundCommand {
  readonly entry: CommandEntry
  /** The whole name: `ostler mcp add`. */
  readonly path: string
  readonly args: readonly string[]
}

/** Finds the command that a command line names. `help` before a name means `--help` after it. */
export function findCommand(root: CommandEntry, argv: readonly string[]): FoundCommand {
  const [first = '', ...rest] = argv
  if (['--help', '-h'].includes(first) && rest.length > 0) return findCommand(root, ['help', ...rest])
  if (first === 'version') return findCommand(root, ['--version', ...rest])
  let entry = root
  let path = root.name
  let args = argv
  for (;;) {
    const [word, ...others] = args
    if (entry.subcommands === undefined || word === undefined) return { entry, path, args }
    if (word === 'help') {
      args = [...others, '--help']
      continue
    }
    const next = entry.subcommands.find(({ name }) => name === word)
    if (next === undefined) return { entry, path, args }
    entry = next
    path += ` ${next.name}`
    args = others
  }
}

/** The word is not one of the subcommands of `path`. */
export function unknownCommand(
  path: string,
  word: string,
  { subcommands = [] }: Pick<CommandEntry, 'subcommands'>,
): UsageError {
  const names = subcommands.flatMap(({ name, summary }) => (summary === undefined ? [] : [name]))
  const [, ...parents] = path.split(' ')
  return usageError(`unknown command '${[...parents, word].join(' ')}'${suggest(word, names)}`)
}
