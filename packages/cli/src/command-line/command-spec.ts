/** One command as it is described once: its usage, its flags, its completion and its page in the docs are made from this. */
export interface CommandSpec {
  /** As it is called: `mcp add`. */
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** What follows the name, one for each way to call it. */
  readonly synopsis: readonly string[]
  readonly about: string
  readonly flags: Readonly<Record<string, FlagSpec>>
  /** What the words stand for, in order; the last goes on for all that follow. */
  readonly words?: readonly Completion[]
  readonly subcommands?: readonly CommandSpec[]
  /** Examples and what else is worth knowing, below the options. */
  readonly more?: string
}

export interface FlagSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  readonly default?: string | boolean
  /** What the usage calls its value. */
  readonly value?: string
  /** Further lines are put under the first. */
  readonly help: string
  readonly completion?: Completion
}

/** What may stand in a place: one of these, or what can be looked up. */
export type Completion = readonly string[] | 'file' | 'directory' | 'server' | 'session' | 'nothing'

const indent = '  '
const gap = '    '

/** What `ostler help COMMAND` prints. */
export function toUsage({ name, synopsis, about, flags, subcommands = [], more }: CommandSpec): string {
  const command = ['ostler', name].filter(Boolean).join(' ')
  const calls = synopsis.map((rest, index) => `${index === 0 ? 'Usage: ' : '       '}${command} ${rest}`.trimEnd())
  const commands = subcommands.map((sub): Line => [sub.name.split(' ').at(-1) ?? '', sub.summary])
  const sections = [
    calls.join('\n'),
    about,
    commands.length === 0 ? '' : `Commands:\n${toColumns(commands)}`,
    `Options:\n${toColumns(Object.entries(flags).map(([flag, spec]): Line => [toFlag(flag, spec), spec.help]))}`,
    more ?? '',
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

type Line = readonly [string, string]

function toColumns(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(([left]) => left.length))
  const under = `\n${indent}${' '.repeat(width)}${gap}`
  return lines.map(([left, right]) => `${indent}${left.padEnd(width)}${gap}${right.replaceAll('\n', under)}`).join('\n')
}

function toFlag(name: string, { short, value, multiple }: FlagSpec): string {
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`
  return `${flag}${value === undefined ? '' : ` ${value}`}${multiple === true ? '...' : ''}`
}
