import type { SessionId } from '../base/ids.ts'
import type { History } from '../history/history.ts'
import type { LiveServerState } from '../history/live-servers.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { ServerSet } from './server-set.ts'

/** Publishes the servers of a set to other processes until it is disposed. */
export function noteLiveServers(
  set: ServerSet,
  owner: { readonly agent: string; readonly sessionId: SessionId | null },
  history: Pick<History, 'noteLiveServers'>,
): Disposable {
  const note = history.noteLiveServers({
    ...owner,
    look: () => [...set.clients.values()].map((client) => toLiveServer(client)),
  })
  const stop = set.onChange(() => note.changed())
  note.changed()
  return {
    [Symbol.dispose]() {
      stop()
      note[Symbol.dispose]()
    },
  }
}

function toLiveServer({ name, config, origin, status, tools, prompts }: McpClient): LiveServerState {
  return {
    name,
    transport: config.type,
    origin,
    status: status.state,
    ...(status.state === 'error' && { reason: status.reason, ...(status.needsLogin === true && { needsLogin: true }) }),
    tools: tools.length,
    prompts: prompts.length,
  }
}
