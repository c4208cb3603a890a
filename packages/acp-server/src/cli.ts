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
    case 'init':
      return (await import('./commands/init.ts')).runInit(rest)
    case 'check':
      return (await import('./commands/check.ts')).runCheck(rest)
    case 'schema':
      return (await import('./commands/schema.ts')).runSchema(rest)
    case 'grants':
      return (await import('./commands/grants.ts')).runGrants(rest)
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

function runBare(args: string[]): number {
  const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const
  const { values, positionals } = parseFlags({ args, options, allowPositionals: true }, usage)
  if (positionals[0] !== undefined) throw new UsageError(`there is no command '${positionals[0]}'`, usage)
  if (values.version === true) process.stdout.write(`${agentInfo.version}\n`)
  else if (values.help === true) process.stdout.write(usage)
  else throw new UsageError('which command?', usage)
  return exitCodes.ok
}
