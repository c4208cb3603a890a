import type { KnownServerKey, KnownServers } from '../history/known-servers.ts'
import type { KnownServer } from '../mcp/known-server.ts'
import type { McpClient } from '../mcp/mcp-client.ts'

/** The known tools of one server, and a function that stores its current ones. */
export interface Remembered {
  readonly known: KnownServer | undefined
  follow(client: McpClient): void
}

/** Looks up what a server offered last time. Its key can change while it is connected, because a person can log in. */
export function rememberServer(servers: KnownServers, key: () => KnownServerKey): Remembered {
  const known = servers.find(key())
  let kept = known
  return {
    known,
    follow(client) {
      client.onChange(() => {
        const { current } = client
        if (current === undefined || current === kept) return
        kept = current
        servers.keep(key(), current)
      })
    },
  }
}
