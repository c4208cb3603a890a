import { createRedactor, logLevels, type AgentConfig, type LogLevel } from '@ostler/agent-api'
import { openLog } from '../log.ts'
import { parseFlags } from '../parse-flags.ts'
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
  // A broken agent file must be seen before the editor believes that all is well; everything else waits until the editor has its answer.
  const file: Partial<AgentConfig> = values.agent === undefined ? {} : await loadFile(values.agent)
  const openAgent = async () => {
    const { createAgent } = await import('../open-agent.ts')
    return createAgent({ ...file, model: values.model ?? (process.env['OSTLER_MODEL'] || file.model), logger, redactor })
  }
  return serveStdio({ openAgent, logger })
}

async function loadFile(path: string): Promise<Pick<AgentConfig, 'systemPrompt' | 'model' | 'providers' | 'maxSteps'>> {
  const { loadAgentFile } = await import('../open-agent-file.ts')
  const { file } = await loadAgentFile(path, process.env)
  return { systemPrompt: file.systemPrompt, model: file.model, providers: file.providers, maxSteps: file.maxSteps }
}

function isLogLevel(value: string): value is LogLevel {
  return logLevels.some((level) => level === value)
}
