import type { KnownServers } from '../history/known-servers.ts'
import type { KnownServer } from '../mcp/known-server.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { McpServerConfig } from '../mcp/server-config.ts'
import { hashCanonical } from '../policy/pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'

/** The known tools of one server, and a function that stores its current ones. */
export interface Remembered {
  readonly known: KnownServer | undefined
  follow(client: McpClient): void
}

/** Looks up what a server offered last time. `cwd` is the folder in which a server of a session starts. */
export function rememberServer(servers: KnownServers, config: McpServerConfig, cwd: string | undefined): Remembered {
  const identity = hashCanonical(serverIdentity(config, cwd))
  const known = servers.find(identity)
  let kept = known
  return {
    known,
    follow(client) {
      client.onChange(() => {
        const { current } = client
        if (current === undefined || current === kept) return
        kept = current
        servers.keep(identity, current)
      })
    },
  }
}
