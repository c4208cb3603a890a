import type { SessionId } from '../base/ids.ts'
import type { ToolSize } from '../messages/tool-size.ts'
import type { LiveServerState, Presence } from '../state/presence/presence.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import { hashCanonical } from '../policy/always-allow/definition-pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { ServerSet } from './server-set.ts'

/**
 * Publishes the servers of a set to other processes until it is disposed. `cwd` is the folder in which servers of a session start. Call
 * `changed` when the sizes of their tools may have changed.
 */
export function noteLiveServers(
  set: ServerSet,
  owner: { readonly agent: string; readonly sessionId: SessionId | null; readonly cwd?: string },
  presence: Presence,
  sizesOf: (server: string) => readonly ToolSize[] = () => [],
): Disposable & { readonly changed: () => void } {
  const { agent, sessionId, cwd } = owner
  const note = presence.note({
    agent,
    sessionId,
    look: () => [...set.clients.values()].map((client) => toLiveServer(client, cwd, sizesOf(client.name))),
  })
  const stop = set.onChange(note.changed)
  note.changed()
  return {
    changed: note.changed,
    [Symbol.dispose]() {
      stop()
      note[Symbol.dispose]()
    },
  }
}

function toLiveServer(
  { name, config, origin, status, tools, prompts }: McpClient,
  cwd: string | undefined,
  sizes: readonly ToolSize[],
): LiveServerState {
  return {
    name,
    transport: config.type,
    origin,
    identity: hashCanonical(serverIdentity(config, cwd)),
    status: status.state,
    ...(status.state === 'error' && {
      reason: status.reason,
      ...(status.needsLogin === true && { needsLogin: true }),
    }),
    tools: tools.length,
    prompts: prompts.length,
    ...(sizes.length > 0 && { sizes }),
  }
}
