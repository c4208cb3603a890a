import type { KnownServers } from '../state/servers/known-servers.ts'
import type { McpClient, McpHost } from '../mcp/mcp-client.ts'
import { openMcpClient, type OpenMcpClientOptions } from '../mcp/open-mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import { hashCanonical } from '../policy/always-allow/definition-pin.ts'
import { createCredentialHash } from './credential-hash.ts'

interface ClientOpenerOptions extends Pick<
  OpenMcpClientOptions,
  'logins' | 'timing' | 'logger' | 'redactor'
> {
  readonly knownServers: KnownServers
  readonly stateDir?: string | undefined
}

/** Servers from an editor have no name to log in to. With `isRemembered`, a known server offers its tools at once. */
export function createClientOpener({
  knownServers,
  stateDir,
  logins,
  timing,
  logger,
  redactor,
}: ClientOpenerOptions) {
  const hashCredentials = createCredentialHash(stateDir, logins)
  return (
    config: McpServerConfig,
    host: McpHost,
    how: { readonly loginName?: string; readonly isRemembered: boolean },
  ): McpClient => {
    const { loginName, isRemembered } = how
    // Resolved before the start, because the program that is found now is the one that runs.
    const identity = hashCanonical(serverIdentity(config, host.cwd, loginName !== undefined))
    // A person can log in while the server is connected.
    const key = () => ({ identity, credentials: hashCredentials(identity, config) })
    let known = isRemembered ? knownServers.find(key()) : undefined
    const client = openMcpClient({ config, host, logger, redactor, logins, loginName, timing, known })
    const remember = () => {
      const { seen } = client
      if (seen === undefined || seen === known) return
      known = seen
      knownServers.keep(key(), seen)
    }
    if (isRemembered) client.onChange(remember)
    return client
  }
}
