import { parseArgs, type ParseArgsConfig } from 'node:util'
import { toUsage, type CommandSpec } from './command-spec.ts'
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

/** The command line is wrong: said with the usage of the command, exit code 2. */
export function usageError(spec: CommandSpec, message: string): UsageError {
  return new UsageError(message, toUsage(spec))
}

function parse<S extends CommandSpec>(spec: S, args: readonly string[]): Parsed<S> {
  try {
    return parseArgs({ args: [...args], options: spec.flags, allowPositionals: true }) as Parsed<S>
  } catch (error) {
    // Its first sentence says what is wrong; the rest is advice for other programs.
    if (error instanceof TypeError) throw usageError(spec, error.message.split('. ')[0] ?? error.message)
    throw error
  }
}

/** `--agent ""` is what a script says whose variable is not set. */
function rejectEmpty(spec: CommandSpec, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw usageError(spec, `--${name} needs a value`)
  }
}
