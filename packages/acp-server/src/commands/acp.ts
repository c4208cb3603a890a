import { createRedactor, findAgentFile, logLevels, type LogLevel } from '@ostler/agent-api'
import { openLog } from '../log.ts'
import { parseFlags } from '../parse-flags.ts'
import { stateDirOf } from '../state-dir.ts'
import { serveStdio } from '../stdio.ts'
import { UsageError } from '../usage-error.ts'
import { acpUsage } from '../usage.ts'

const options = {
  agent: { type: 'string' },
  model: { type: 'string' },
  'state-dir': { type: 'string' },
  'log-level': { type: 'string', default: 'warn' },
  'log-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function runAcp(args: string[]): Promise<number> {
  const { values } = parseFlags({ args, options }, acpUsage)
  if (values.help === true) {
    process.stdout.write(acpUsage)
    return 0
  }
  for (const [name, value] of Object.entries(values)) if (value === '') throw new UsageError(`--${name} needs a value`, acpUsage)
  const level = values['log-level']
  if (!isLogLevel(level)) throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}`, acpUsage)

  const redactor = createRedactor()
  const logger = openLog({ level, file: values['log-file'], redactor })
  const agentFile = findAgentFile(values.agent, process.env)
  const openAgent = async () => {
    const agent = await import('../open-agent.ts')
    return agent.openAgent({
      file: agentFile,
      model: values.model,
      stateDir: stateDirOf(values['state-dir'], process.env),
      logger,
      redactor,
    })
  }
  const checkAgent = async () => {
    if (agentFile === undefined) return
    const { loadAgentFile } = await import('../open-agent-file.ts')
    await loadAgentFile(agentFile, process.env)
  }
  return serveStdio({ openAgent, checkAgent, logger })
}

function isLogLevel(value: string): value is LogLevel {
  return logLevels.some((level) => level === value)
}
