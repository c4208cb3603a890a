import { secretsOf } from '../mcp/secrets-of.ts'
import type { AgentFile } from './agent-file-schema.ts'
import { secretsOfEnvironment } from './environment.ts'
import type { Environment } from './environment-overrides.ts'
import { secretsOfFile, toAgentServer } from './to-agent-server.ts'

/** What must not be shown of an agent file, whether its servers are used or not, and of the environment it is used in. */
export function knownSecrets(file: AgentFile, env: Environment): string[] {
  const servers = Object.entries(file.mcpServers).map(([name, entry]) => toAgentServer(name, entry).server)
  return [...secretsOfEnvironment(env), ...secretsOfFile(file), ...servers.flatMap(secretsOf)]
}
