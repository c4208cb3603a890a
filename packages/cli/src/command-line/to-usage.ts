import { flagsOf, type Command, type CommandEntry, type FlagSpec } from './command.ts'

const indent = '  '
const gap = '    '

/** The text that `ostler help COMMAND` prints. `path` is the whole name: `ostler mcp add`. */
export function toUsage(path: string, command: Command, subcommands: readonly CommandEntry[] = []): string {
  const { synopsis, about, more } = command
  const calls = synopsis.map((rest, index) =>
    `${index === 0 ? 'Usage: ' : '       '}${path} ${rest}`.trimEnd(),
  )
  const commands = subcommands.flatMap(({ name, summary }): Line[] =>
    summary === undefined ? [] : [[name, summary]],
  )
  const sections = [
    calls.join('\n'),
    about,
    commands.length === 0 ? '' : `Commands:\n${toColumns(commands)}`,
    `Options:\n${toColumns(Object.entries(flagsOf(command)).map(toFlagLine))}`,
    more ?? '',
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

type Line = readonly [string, string]

function toColumns(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(([left]) => left.length))
  const under = `\n${indent}${' '.repeat(width)}${gap}`
  return lines
    .map(([left, right]) => `${indent}${left.padEnd(width)}${gap}${right.replaceAll('\n', under)}`)
    .join('\n')
}

function toFlagLine([name, { short, value, help, multiple }]: readonly [string, FlagSpec]): Line {
  const flag = short === undefined ? `--${name}` : `-${short}, --${name}`
  return [
    value === undefined ? flag : `${flag} ${value}`,
    multiple === true ? `${help} (may be repeated)` : help,
  ]
}
