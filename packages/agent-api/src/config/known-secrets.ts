import { secretsOf } from '../mcp/secrets-of.ts'
import type { AgentFile } from './agent-file-schema.ts'
import { secretsOfEnvironment } from './environment.ts'
import type { Environment } from './environment-overrides.ts'
import { secretsOfFile, toAgentServer } from './to-agent-server.ts'

/** All secrets of an agent file, including those of unused servers, and of its environment. */
export function knownSecrets(file: AgentFile, env: Environment): string[] {
  const servers = Object.entries(file.mcpServers).map(([name, entry]) => toAgentServer(name, entry).config)
  return [...secretsOfEnvironment(env), ...secretsOfFile(file), ...servers.flatMap(secretsOf)]
}
