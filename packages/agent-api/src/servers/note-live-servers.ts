import type { SessionId } from '../base/ids.ts'
import type { History } from '../history/history.ts'
import type { LiveServerState } from '../history/live-servers.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { Redactor } from '../redaction/redact.ts'
import { toServerOrigin } from './server-origin.ts'
import type { ServerSet } from './server-set.ts'

/** Publishes the servers of a set to other processes until it is disposed. */
export function noteLiveServers(
  set: ServerSet,
  owner: { readonly agent: string; readonly sessionId: SessionId | null },
  { history, redactor }: { readonly history: Pick<History, 'noteLiveServers'>; readonly redactor: Redactor },
): Disposable {
  const note = history.noteLiveServers({
    ...owner,
    look: () => [...set.clients.values()].map((client) => toLiveServer(client, redactor)),
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

function toLiveServer({ name, config, status, tools, prompts }: McpClient, redactor: Redactor): LiveServerState {
  return {
    name,
    transport: config.type,
    origin: toServerOrigin(config, redactor),
    status: status.state,
    ...(status.state === 'error' && { reason: redactor.redact(status.reason), ...(status.needsLogin === true && { needsLogin: true }) }),
    tools: tools.length,
    prompts: prompts.length,
  }
}
