import { childEnvironment } from '../processes/child-environment.ts'
import { resolveCommand } from '../processes/resolve-command.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { identityOf, type ServerIdentity } from './always-allow/definition-pin.ts'

/** Resolved once per configuration, because the program that was started is the one that counts. */
const identities = new WeakMap<McpServerConfig, ServerIdentity>()

/** A relative command is looked up in `cwd`, which is a part of the identity unless sessions share the server. */
export function serverIdentity(
  config: McpServerConfig,
  cwd: string | undefined,
  isShared = false,
): ServerIdentity {
  const known = identities.get(config)
  if (known !== undefined) return known
  const path =
    config.type === 'stdio'
      ? resolveCommand(
          config.command,
          config.cwd ?? cwd ?? process.cwd(),
          childEnvironment(config.env)['PATH'] ?? '',
        )
      : ''
  const identity = identityOf(config, isShared ? undefined : cwd, path)
  identities.set(config, identity)
  return identity
}
