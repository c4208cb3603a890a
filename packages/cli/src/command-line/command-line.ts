import { parseArgs, type ParseArgsConfig } from 'node:util'
import { didYouMean } from '@ostler/agent-api'
import { toUsage, type CommandSpec } from './command-spec.ts'
import { toShown } from '../terminal/format-table.ts'
import { UsageError } from './usage-error.ts'

type Parsed<S extends CommandSpec> = ReturnType<
  typeof parseArgs<{ options: S['flags'] & ParseArgsConfig['options']; allowPositionals: true }>
>

export interface CommandLine<S extends CommandSpec> {
  readonly values: Parsed<S>['values']
  /** What is no flag. */
  readonly words: readonly string[]
}

/** A command's flags and words. Undefined when its help was asked for, which is then printed. */
export function readCommandLine<S extends CommandSpec>(spec: S, args: readonly string[]): CommandLine<S> | undefined {
  const { values, positionals } = parse(spec, args)
  if ((values as Readonly<Record<string, unknown>>)['help'] === true) {
    process.stdout.write(toUsage(spec))
    return undefined
  }
  rejectEmpty(spec, values)
  if (positionals.length > 0 && spec.words === undefined) throw usageError(spec, `what is '${positionals[0]}' for?`)
  return { values, words: positionals }
}

/** The command line is wrong: said with where the help of the command is, exit code 2. */
export function usageError(spec: CommandSpec, message: string): UsageError {
  return new UsageError(toShown(message).replaceAll('\n', ' '), `See ${['ostler', spec.name].filter(Boolean).join(' ')} --help\n`)
}

/** Nothing was asked for: the whole help is the answer. */
export function bareError(spec: CommandSpec, message: string): UsageError {
  return new UsageError(message, `\n${toUsage(spec)}`)
}

/** A word that is none of those there are. */
export function unknownCommand(spec: CommandSpec, word: string, known = namesIn(spec)): UsageError {
  return usageError(
    spec,
    `there is no ${spec.name === '' ? 'command ' : ''}'${[spec.name, word].filter(Boolean).join(' ')}'${suggest(word, known)}`,
  )
}

function namesIn({ subcommands = [] }: CommandSpec): readonly string[] {
  return subcommands.map(({ name }) => name.split(' ').at(-1) ?? '')
}

/** The end of a message about a word that is not known: empty where nothing is near. */
export function suggest(word: string, known: readonly string[], prefix = ''): string {
  const near = didYouMean(word, known)
  return near === undefined ? '' : `; did you mean '${prefix}${near}'?`
}

function parse<S extends CommandSpec>(spec: S, args: readonly string[]): Parsed<S> {
  try {
    return parseArgs({ args: [...args], options: spec.flags, allowPositionals: true }) as Parsed<S>
  } catch (error) {
    if (error instanceof TypeError) throw usageError(spec, describe(spec, error))
    throw error
  }
}

/** The first sentence says what is wrong; the rest is advice for other programs. */
function describe({ flags }: CommandSpec, { message }: TypeError): string {
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1]
  if (ambiguous !== undefined) return `${ambiguous} needs a value; one that begins with a dash is written ${ambiguous}=-VALUE`
  const first = message.split('. ')[0] ?? message
  const unknown = /^Unknown option '--([\w-]+)'/.exec(first)?.[1]
  return unknown === undefined ? first : `${first}${suggest(unknown, Object.keys(flags), '--')}`
}

/** `--agent ""` is what a script says whose variable is not set. */
function rejectEmpty(spec: CommandSpec, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw usageError(spec, `--${name} needs a value`)
  }
}
