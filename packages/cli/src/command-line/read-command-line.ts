import { parseArgs } from 'node:util'
import { suggest } from '@ostler/agent-api/internal'
import { flagsOf, usageError, type Command, type CommandLine, type Flags } from './command.ts'

export function readCommandLine(command: Command, args: readonly string[]): CommandLine | 'help' {
  if (command.takesAnything === true) return { values: {}, words: args, word: '', program: undefined }
  const flags = flagsOf(command)
  const { own, program } = command.takesProgram === true ? splitProgram(args) : { own: args }
  const mayBeProgram = command.takesProgram === true && program === undefined
  const { values, positionals: words } = parse(flags, own, mayBeProgram)
  if (values['help'] === true) return 'help'
  rejectEmpty(values)
  if (command.needs !== undefined && words.length !== 1) throw usageError(command.needs)
  return { values, words, word: words[0] ?? '', program }
}

function splitProgram(args: readonly string[]): { own: readonly string[]; program?: readonly string[] } {
  const at = args.indexOf('--')
  return at === -1 ? { own: args } : { own: args.slice(0, at), program: args.slice(at + 1) }
}

function parse(flags: Flags, args: readonly string[], mayBeProgram: boolean) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true })
  } catch (error) {
    if (error instanceof TypeError) throw usageError(describe(flags, error, mayBeProgram))
    throw error
  }
}

/** The first sentence of Node's message contains the problem; the rest is advice for other programs. */
function describe(flags: Flags, { message }: TypeError, mayBeProgram: boolean): string {
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1]
  if (ambiguous !== undefined)
    return `${ambiguous} needs a value; if the value begins with a dash, write ${ambiguous}=-VALUE`
  const first = (message.split('. ')[0] ?? message).replace(/^Unknown/, 'unknown')
  const unknown = /^unknown option '--([\w-]+)'/.exec(first)?.[1]
  const hint = unknown === undefined ? first : `${first}${suggest(unknown, Object.keys(flags), '--')}`
  // The usual mistake is a flag of the other program before the `--`.
  return mayBeProgram && first.startsWith('unknown option')
    ? `${hint}. If it belongs to the server's command, put -- before that command`
    : hint
}

/** A script with an unset variable says `--agent ""`. */
function rejectEmpty(values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || (Array.isArray(value) && value.includes('')))
      throw usageError(`--${name} needs a value`)
  }
}
