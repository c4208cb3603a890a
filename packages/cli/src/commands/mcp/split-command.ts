import { usageError } from '../../command-line/command-line.ts'
import type { CommandSpec } from '../../command-line/command-spec.ts'
import { UsageError } from '../../command-line/usage-error.ts'

/** What stands in front of `--`, and the command behind it, whose own flags are none of ours. */
export function splitCommand(args: readonly string[]): { own: readonly string[]; command: readonly string[] | undefined } {
  const at = args.indexOf('--')
  return at === -1 ? { own: args, command: undefined } : { own: args.slice(0, at), command: args.slice(at + 1) }
}

/** A flag of the server's command that was taken for one of ours is the usual mistake. */
export function withCommandHint<T>(spec: CommandSpec, hasCommand: boolean, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (hasCommand || !(error instanceof UsageError) || !error.message.startsWith('Unknown option')) throw error
    throw usageError(spec, `${error.message}. If it belongs to the server's command, put -- in front of that command`)
  }
}
