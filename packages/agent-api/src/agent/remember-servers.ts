import type { KnownServers } from '../history/known-servers.ts'
import type { KnownServer } from '../mcp/known-server.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import { hashCanonical, type ServerIdentity } from '../policy/pin.ts'

/** The known tools of one server, and a function that stores its current ones. */
export interface Remembered {
  readonly known: KnownServer | undefined
  follow(client: McpClient): void
}

/** Looks up what a server offered last time. */
export function rememberServer(servers: KnownServers, server: ServerIdentity): Remembered {
  const identity = hashCanonical(server)
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
