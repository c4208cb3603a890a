import { dirname, join } from 'node:path'
import type { AgentConfig } from './agent-config.ts'
import { warnOfPatterns } from '../policy/trust.ts'
import { lockFileName } from '../servers/lock/load-lock.ts'
import { warnOfHiddenCommands } from '../session/commands.ts'
import { loadAgentFile } from '../config/agent-file.ts'
import type { AgentFile } from '../config/agent-file-schema.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { loadLocalTools, localModules } from '../config/load-local-tools.ts'
import { secretsOfFile } from '../config/to-agent-server.ts'
import { toAgentConfig } from './to-agent-config.ts'

export interface DescribedAgent {
  readonly name: string | undefined
  readonly config: AgentConfig
  readonly file: AgentFile | undefined
}

export async function describeAgent(
  path: string | undefined,
  env: Environment,
  { logger, redactor }: Required<Pick<AgentConfig, 'logger' | 'redactor'>>,
): Promise<DescribedAgent> {
  const { file, writtenServers, warnings: unused, notes } = await loadAgentFile(path, env)
  for (const secret of secretsOfFile(file)) redactor.add(secret)
  const warnings = [
    ...unused,
    ...warnOfPatterns(file.approval.trustedTools),
    ...warnOfHiddenCommands(Object.keys(file.commands)),
  ]
  for (const warning of warnings) logger.warn(warning)
  for (const note of notes) logger.info(note)
  const config = toAgentConfig(file, writtenServers)
  const modules = localModules(file.localTools, path)
  const tools = await loadLocalTools(modules, config.toolbox?.tools ?? [])
  const ownFiles = [...(path === undefined ? [] : [path]), ...modules]
  return {
    name: file.name,
    config: {
      ...config,
      tools,
      ownFiles,
      knownServers: Object.keys(file.mcpServers),
      ...(path !== undefined && { lockFile: join(dirname(path), lockFileName) }),
    },
    file,
  }
}
