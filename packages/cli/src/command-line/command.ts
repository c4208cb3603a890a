import type { parseArgs, ParseArgsConfig } from 'node:util'
import type { Io } from '../terminal/io.ts'

/** A command. Its usage, its completion and its section in docs/commands.md are generated from this. */
export interface Command<F extends Flags = Flags> {
  /** The part of the usage after the name, one entry for each way to call the command. */
  readonly synopsis: readonly string[]
  readonly about: string
  readonly flags?: F
  /** The meaning of each word, in order. The last entry applies to all that follow. If unset, the command takes no words. */
  readonly words?: readonly Completion[]
  /** The error if a command that takes exactly one word gets more or fewer. */
  readonly needs?: string
  /** The words after `--` are the command line of another program. */
  readonly takesProgram?: boolean
  /** Everything after the name is a word, including text that looks like a flag. */
  readonly takesAnything?: boolean
  /** Examples and further notes, below the options. */
  readonly more?: string
  /** Returns the exit code. Nothing means success. `commands` is the table of all commands, for a command about the command line itself. */
  run(io: Io, line: CommandLine<F>, commands: CommandEntry): number | void | Promise<number | void>
}

/** A command in the table: everything known before its file is loaded. */
export interface CommandEntry {
  /** The last word of its name: `add` for `ostler mcp add`. */
  readonly name: string
  /** A line for the list of commands. A command without one is hidden. */
  readonly summary?: string
  readonly load: () => Promise<{ readonly command: Command }>
  readonly subcommands?: readonly CommandEntry[]
}

export type Flags = Readonly<Record<string, FlagSpec>>

export interface FlagSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly default?: string | boolean
  /** The name of its value in the usage. */
  readonly value?: string
  /** Further lines are indented below the first. */
  readonly help: string
  /** The possible values. Unknown by default. */
  readonly completion?: Completion
}

/** Possible values: fixed words, or a kind of thing to look up. */
export type Completion = readonly string[] | 'file' | 'directory' | 'server' | 'session' | 'nothing'

export type FlagValues<F extends Flags> = ReturnType<
  typeof parseArgs<{ options: F & ParseArgsConfig['options'] }>
>['values']

export interface CommandLine<F extends Flags = Flags> {
  readonly values: FlagValues<F>
  readonly words: readonly string[]
  /** The only word of a command with `needs`. */
  readonly word: string
  /** The words after `--`, for a command with `takesProgram`. */
  readonly program: readonly string[] | undefined
}

/** Gives `run` the types of the command's flags. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return command
}

const helpFlag = { type: 'boolean', short: 'h', help: 'Show this help' } as const satisfies FlagSpec

/** The flags of a command with `--help`, which every command has. */
export function flagsOf({ flags = {} }: Command): Flags {
  return 'help' in flags ? flags : { ...flags, help: helpFlag }
}

type Others = Omit<Partial<FlagSpec>, keyof TextFlag>
type TextFlag = { readonly type: 'string' } & Pick<FlagSpec, 'value' | 'help'>

export function textFlag(value: string, help: string): TextFlag
export function textFlag<const O extends Others>(value: string, help: string, others: O): TextFlag & O
export function textFlag(value: string, help: string, others?: Others): TextFlag & Others {
  return { type: 'string', value, help, ...others }
}

export function switchFlag(help: string) {
  return { type: 'boolean', default: false, help } as const satisfies FlagSpec
}

export const jsonFlag = switchFlag('Print JSON')

export const stateDirFlag = textFlag(
  'DIR',
  'The state directory (default: $XDG_STATE_HOME/ostler or ~/.local/state/ostler)',
  { completion: 'directory' },
)

export const stateFlags = { json: jsonFlag, 'state-dir': stateDirFlag }

export const limitFlag = textFlag('N', 'The maximum number of results (50)', { default: '50' })

export const serverFlag = textFlag('NAME', 'Only calls of this MCP server', { completion: 'server' })

export const yesFlag = { ...switchFlag('Do not ask for confirmation'), short: 'y' } as const

export const forceFlag = switchFlag('Replace an existing file')

export function agentFlag(help = 'The agent file (default: OSTLER_AGENT, then your own ostler.yaml)') {
  return textFlag('FILE', help, { completion: 'file' })
}

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

/** The command needs a word, but got nothing. */
export function bareError(message: string): UsageError {
  return new UsageError(message, true)
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
