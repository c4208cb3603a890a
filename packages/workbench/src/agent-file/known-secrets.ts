import {
  secretsOf,
  type AgentFile,
  secretsOfEnvironment,
  type Environment,
  secretsOfFile,
  toAgentServer,
} from '@ostler/agent-api/internal'

/** Includes those of unused servers, and of the environment. */
export function knownSecrets(file: AgentFile, env: Environment): string[] {
  const servers = Object.entries(file.mcpServers).map(([name, entry]) => toAgentServer(name, entry).config)
  return [...secretsOfEnvironment(env), ...secretsOfFile(file), ...servers.flatMap(secretsOf)]
}
