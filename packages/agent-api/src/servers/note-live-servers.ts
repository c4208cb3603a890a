import type { SessionId } from '../base/ids.ts'
import type { ToolSize } from '../messages/tool-size.ts'
import type { LiveServerState, Presence } from '../state/presence/presence.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import { hashCanonical } from '../policy/always-allow/definition-pin.ts'
import { serverIdentity } from '../policy/server-identity.ts'
import type { ServerSet } from './server-set.ts'

interface LiveServers extends Disposable {
  /** Call with the sizes of the tools of servers, by their names, when these have changed. */
  changed(sizes?: ReadonlyMap<string | null, ReadonlyMap<string, ToolSize>>): void
}

/** Publishes the servers of a set to other processes until it is disposed. `cwd` is the folder in which servers of a session start. */
export function noteLiveServers(
  set: ServerSet,
  owner: { readonly agent: string; readonly sessionId: SessionId | null; readonly cwd?: string },
  presence: Presence,
): LiveServers {
  const { agent, sessionId, cwd } = owner
  const known = new Map<string | null, ReadonlyMap<string, ToolSize>>()
  const note = presence.note({
    agent,
    sessionId,
    look: () => [...set.clients.values()].map((client) => toLiveServer(client, cwd, known.get(client.name))),
  })
  const stop = set.onChange(note.changed)
  note.changed()
  return {
    changed(sizes) {
      for (const [server, tools] of sizes ?? []) known.set(server, tools)
      note.changed()
    },
    [Symbol.dispose]() {
      stop()
      note[Symbol.dispose]()
    },
  }
}

function toLiveServer(
  { name, config, origin, status, tools, prompts }: McpClient,
  cwd: string | undefined,
  sizes: ReadonlyMap<string, ToolSize> | undefined,
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
    ...(sizes && { sizes: [...sizes.values()] }),
  }
}
