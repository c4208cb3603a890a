import { OstlerError } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import { findCommand, unknownCommand } from './command-line/find-command.ts'
import { readCommandLine } from './command-line/read-command-line.ts'
import { toUsage } from './command-line/to-usage.ts'
import { usageError, UsageError } from './command-line/command.ts'
import { ostler } from './commands.ts'
import type { Io } from './terminal/io.ts'
import { toErrorText } from './terminal/safe-text.ts'

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const

export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  const { entry, path, args } = findCommand(ostler, argv)
  try {
    const [word] = args
    if (entry.subcommands !== undefined && word !== undefined && !word.startsWith('-'))
      throw unknownCommand(path, word, entry)
    const { command } = await entry.load()
    const line = readCommandLine(command, args)
    if (line === 'help') {
      io.stdout.write(toUsage(path, command, entry.subcommands))
      return exitCodes.ok
    }
    const [first] = line.words
    if (first !== undefined && entry.subcommands !== undefined) throw unknownCommand(path, first, entry)
    if (first !== undefined && command.words === undefined) throw usageError(`unexpected argument '${first}'`)
    return (await command.run(io, line, ostler)) ?? exitCodes.ok
  } catch (error) {
    if (error instanceof UsageError) {
      const help = error.wantsUsage
        ? `\n${toUsage(path, (await entry.load()).command, entry.subcommands)}`
        : `See ${path} --help\n`
      io.stderr.write(`ostler: ${toErrorText(error.message).replaceAll('\n', ' ')}\n${help}`)
      return exitCodes.usage
    }
    if (error instanceof OstlerError) io.stderr.write(`ostler: ${toErrorText(error.message)}\n`)
    else await sayUnexpected(error, io)
    return exitCodes.failure
  }
}

/** Reports a mistake of ours. `OSTLER_DEBUG` shows where it happened. */
async function sayUnexpected(error: unknown, { env, stderr }: Io): Promise<void> {
  const { redactEnvironment } = await import('./state/redact-environment.ts')
  const isWhole = Boolean(env['OSTLER_DEBUG']) && error instanceof Error && error.stack !== undefined
  const text = isWhole ? error.stack : messageOf(error).replaceAll(/\s*\n\s*/g, ' ')
  stderr.write(`ostler: unexpected error: ${toErrorText(redactEnvironment(text ?? '', env))}\n`)
}
