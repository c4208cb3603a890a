import { childEnvironment } from '../processes/child-environment.ts'
import { resolveCommand } from '../processes/resolve-command.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { identityOf, type ServerIdentity } from './pin.ts'

/** Resolved once per configuration, because the program that was started is the one that counts. */
const identities = new WeakMap<McpServerConfig, ServerIdentity>()

/** `cwd` is a part of the identity of a session's server. `startsIn` is the folder in which a relative command is looked up. */
export function serverIdentity(config: McpServerConfig, cwd: string | undefined, startsIn = cwd ?? process.cwd()): ServerIdentity {
  const known = identities.get(config)
  if (known !== undefined) return known
  const path =
    config.type === 'stdio' ? resolveCommand(config.command, config.cwd ?? startsIn, childEnvironment(config.env)['PATH'] ?? '') : ''
  const identity = identityOf(config, cwd, path)
  identities.set(config, identity)
  return identity
}
