import { OstlerError } from '@ostler/agent-api'
import { agentInfo } from './capabilities.ts'
import { parseFlags } from './parse-flags.ts'
import { UsageError } from './usage-error.ts'
import { usage } from './usage.ts'

const exitCodes = { ok: 0, failure: 1, usage: 2 } as const

/** Runs one command line and returns its exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    return await runCommand(argv)
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`ostler: ${error.message}\n\n${error.usage}`)
      return exitCodes.usage
    }
    if (error instanceof OstlerError) {
      process.stderr.write(`ostler: ${error.message}\n`)
      return exitCodes.failure
    }
    throw error
  }
}

async function runCommand([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'acp':
      return (await import('./commands/acp.ts')).runAcp(rest)
    case 'editor':
      return (await import('./commands/editor.ts')).runEditor(rest)
    default:
      return runBare(command === undefined ? rest : [command, ...rest])
  }
}

function runBare(args: string[]): number {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const
  const { values, positionals } = parseFlags({ args, options, allowPositionals: true }, usage)
  if (positionals[0] !== undefined) throw new UsageError(`there is no command '${positionals[0]}'`, usage)
  if (values.version === true) process.stdout.write(`${agentInfo.version}\n`)
  else if (values.help === true) process.stdout.write(usage)
  else throw new UsageError('which command?', usage)
  return exitCodes.ok
}
