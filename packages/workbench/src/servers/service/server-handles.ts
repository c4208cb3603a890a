import type { AgentServer } from '@ostler/agent-api'
import type { ServerRow, ServerSet } from '@ostler/agent-api/internal'
import { disconnected } from './connection-status.ts'
import type { Live, ServerParts } from './listed-servers.ts'
import { createServerHandle, type ServerHandle, type ServerHandleOptions } from './server-handle.ts'
import { isFileServerId } from './server-view.ts'
import type { ServerId, ServiceConnection } from '../server-service.ts'

interface ServerHandlesOptions extends Pick<
  ServerHandleOptions,
  'onStatus' | 'lifetime' | 'signalOf' | 'calls'
> {
  readonly parts: Pick<ServerParts, 'used' | 'stored' | 'state' | 'redactor'>
  readonly resolve: (row: ServerRow) => Promise<AgentServer>
  readonly openSet: (find: (id: ServerId) => ServerHandle | undefined) => ServerSet<AgentServer>
}

/** The servers that a person has used so far. */
interface ServerHandles extends Live, AsyncDisposable {
  /** Throws `servers.unknown`. */
  of(id: ServerId): ServerHandle
  connected(id: ServerId): ServiceConnection | undefined
  end(id: ServerId): Promise<void>
}

export function createServerHandles({
  parts,
  resolve,
  openSet,
  ...options
}: ServerHandlesOptions): ServerHandles {
  const { used, stored, state, redactor } = parts
  const handles = new Map<ServerId, ServerHandle>()
  const find = (id: ServerId) => handles.get(id)
  const set = openSet(find)
  set.onChange(({ key, client, what }) => {
    if (what === 'added') client.onResourceChange((uri) => find(key)?.resourceChanged(uri))
    if (what === 'connected' && !isFileServerId(key)) state.find()?.servers.noteConnected(key)
    find(key)?.connection.look(client)
  })

  function of(id: ServerId): ServerHandle {
    const known = find(id)
    if (known !== undefined) return known
    const own = () => (isFileServerId(id) ? used.servers.find(id)?.server : undefined)
    const revision = () => (own() === undefined ? stored.get(id).revision : 0)
    revision()
    const handle = createServerHandle({
      ...options,
      id,
      set,
      redactor,
      revision,
      async current() {
        const server = own()
        if (server !== undefined) return { server, revision: 0 }
        const row = stored.get(id)
        return { server: await resolve(row), revision: row.revision }
      },
    })
    handles.set(id, handle)
    return handle
  }

  async function end(id: ServerId): Promise<void> {
    await find(id)?.disconnect()
  }

  async function forget(id: ServerId): Promise<void> {
    await end(id)
    handles.delete(id)
  }

  const connected = (id: ServerId) => find(id)?.connection.connected
  return {
    of,
    connected,
    end,
    nowOf(id) {
      const { client, tokens, resources } = connected(id) ?? {}
      const status = find(id)?.status ?? disconnected
      const [tools, prompts] = [client?.tools.length, client?.prompts.length]
      return { status, tools, tokens, prompts, resources, fence: client?.fence }
    },
    async refresh() {
      const held = [...handles.values()].filter(({ status }) => status.state !== 'disconnected')
      await Promise.all(
        held.map(async ({ id, connection }) => {
          if (isFileServerId(id)) return
          if (stored.find(id) === undefined) await forget(id)
          else if (connection.isOutdated()) await connection.renew()
        }),
      )
    },
    async changed(id) {
      const row = stored.find(id)
      if (row === undefined) await forget(id)
      else if (row.enabled) await find(id)?.connection.renew()
      else await end(id)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...handles.keys()].map(end))
      await set[Symbol.asyncDispose]()
    },
  }
}
