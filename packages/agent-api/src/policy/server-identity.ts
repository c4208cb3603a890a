import { childEnvironment } from '../processes/child-environment.ts'
import { resolveCommand } from '../processes/resolve-command.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { identityOf, type ServerIdentity } from './pin.ts'

/** Resolved once per configuration, because the program that was started is the one that counts. */
const identities = new WeakMap<McpServerConfig, ServerIdentity>()

export function serverIdentity(config: McpServerConfig, cwd: string | undefined): ServerIdentity {
  const known = identities.get(config)
  if (known !== undefined) return known
  const path =
    config.type === 'stdio'
      ? resolveCommand(config.command, config.cwd ?? cwd ?? process.cwd(), childEnvironment(config.env)['PATH'] ?? '')
      : ''
  const identity = identityOf(config, cwd, path)
  identities.set(config, identity)
  return identity
}
