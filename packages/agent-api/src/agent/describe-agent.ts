import type { AgentConfig } from './agent-config.ts'
import type { Logger } from '../base/logger.ts'
import { warnOfPatterns } from '../policy/trust.ts'
import { warnOfHiddenCommands } from '../session/commands.ts'
import type { Redactor } from '../redaction/redact.ts'
import { loadAgentFile } from '../config/agent-file.ts'
import type { AgentFile } from '../config/agent-file-schema.ts'
import type { Environment } from '../config/environment-overrides.ts'
import { loadLocalTools, localModules } from '../config/load-local-tools.ts'
import { secretsOfFile } from '../config/to-agent-server.ts'
import { toAgentConfig } from './to-agent-config.ts'

export interface DescribeOptions {
  readonly path: string | undefined
  readonly env: Environment
  readonly logger: Logger
  readonly redactor: Redactor
}

export interface DescribedAgent {
  readonly name: string | undefined
  readonly config: AgentConfig
  /** Undefined for the built-in agent. */
  readonly file: AgentFile | undefined
}

/** Loads an agent file with environment overrides, and converts it to an agent's configuration. */
export async function describeAgent({
  path,
  env,
  logger,
  redactor,
}: DescribeOptions): Promise<DescribedAgent> {
  const { file, warnings: unused, notes } = await loadAgentFile(path, env)
  for (const secret of secretsOfFile(file)) redactor.add(secret)
  const warnings = [
    ...unused,
    ...warnOfPatterns(file.approval.trustedTools),
    ...warnOfHiddenCommands(Object.keys(file.commands)),
  ]
  for (const warning of warnings) logger.warn(warning)
  for (const note of notes) logger.info(note)
  const config = toAgentConfig(file)
  const modules = localModules(file.localTools, path)
  const tools = await loadLocalTools(modules, config.toolbox?.tools ?? [])
  const ownFiles = [...(path === undefined ? [] : [path]), ...modules]
  return {
    name: file.name,
    config: { ...config, tools, ownFiles, knownServers: Object.keys(file.mcpServers) },
    file,
  }
}
