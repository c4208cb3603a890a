import { messageOf, OstlerError, toSystemReason } from '@ostler/agent-api'
import { agentInfo } from '@ostler/acp-server'
import { bareError, readCommandLine, unknownCommand } from './command-line/command-line.ts'
import { toShown } from './terminal/format-table.ts'
import { UsageError } from './command-line/usage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const

/** Runs one command line and returns its exit code. */
export async function runCli(argv: readonly string[], env: Environment): Promise<number> {
  try {
    return await runCommand(argv)
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`ostler: ${error.message}\n${error.help}`)
      return exitCodes.usage
    }
    if (error instanceof OstlerError) {
      process.stderr.write(`ostler: ${error.message}\n`)
      return exitCodes.failure
    }
    await sayUnexpected(error, env)
    return exitCodes.failure
  }
}

async function runCommand([command, ...rest]: readonly string[]): Promise<number> {
  if (command !== 'acp') outliveReaders()
  switch (command) {
    case 'acp':
      return (await import('./commands/acp.ts')).runAcp(rest)
    case 'editor':
      return (await import('./commands/editor.ts')).runEditor(rest)
    case 'init':
      return (await import('./commands/init.ts')).runInit(rest)
    case 'check':
      return (await import('./commands/check.ts')).runCheck(rest)
    case 'schema':
      return (await import('./commands/schema.ts')).runSchema(rest)
    case 'mcp':
      return (await import('./commands/mcp.ts')).runMcp(rest)
    case 'history':
      return (await import('./commands/history.ts')).runHistory(rest)
    case 'sessions':
      return (await import('./commands/sessions.ts')).runSessions(rest)
    case 'console':
      return (await import('./commands/console.ts')).runConsole(rest)
    case 'grants':
      return (await import('./commands/grants.ts')).runGrants(rest)
    case 'completion':
      return (await import('./commands/completion.ts')).runCompletion(rest)
    case '__complete':
      return (await import('./commands/completion/complete.ts')).runComplete(rest)
    case 'version':
      return runBare(['--version', ...rest])
    case 'help':
    case '--help':
    case '-h':
      return runHelp(rest)
    default:
      return runBare(command === undefined ? rest : [command, ...rest])
  }
}

/** `ostler help acp` and `ostler --help acp` are `ostler acp --help`. */
async function runHelp([topic, ...others]: readonly string[]): Promise<number> {
  if (topic === undefined || topic === 'help') return runBare(['--help', ...others])
  return topic.startsWith('-') ? runBare(['--help', topic, ...others]) : runCommand([topic, ...others, '--help'])
}

async function runBare(args: readonly string[]): Promise<number> {
  // Not for an editor's start: it describes every command.
  const { ostlerCommand } = await import('./commands/specs/ostler.ts')
  const word = args.find((arg) => !arg.startsWith('-'))
  if (word !== undefined) throw unknownCommand(ostlerCommand, word)
  const line = readCommandLine(ostlerCommand, args)
  if (line === undefined) return exitCodes.ok
  if (line.values.version !== true) throw bareError(ostlerCommand, 'which command?')
  process.stdout.write(`${agentInfo.version}\n`)
  return exitCodes.ok
}

/**
 * Whoever reads the output may go before its end (`| head`): no reason to say anything, nor to stop in the middle of things. What could not be
 * written for another reason is missing from the answer.
 */
function outliveReaders(): void {
  let isSaid = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isSaid) return
    isSaid = true
    process.stderr.write(`ostler: standard output cannot be written: ${toSystemReason(error)}\n`)
    process.on('exit', () => (process.exitCode ||= exitCodes.failure))
  })
  process.stderr.on('error', () => undefined)
}

/** A mistake of ours. Where it happened is for those who look for it. */
async function sayUnexpected(error: unknown, env: Environment): Promise<void> {
  const { redactEnvironment } = await import('./state/redact-environment.ts')
  const isWhole = Boolean(env['OSTLER_DEBUG']) && error instanceof Error && error.stack !== undefined
  const text = isWhole ? error.stack : messageOf(error).replaceAll(/\s*\n\s*/g, ' ')
  process.stderr.write(`ostler: unexpected error: ${toShown(redactEnvironment(text ?? '', env))}\n`)
}
