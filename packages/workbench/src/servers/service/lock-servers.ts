import { OstlerError } from '@ostler/agent-api'
import {
  agentName,
  definitionsOf,
  hashEntry,
  messageOf,
  useOfStoredServer,
  type LockedServer,
} from '@ostler/agent-api/internal'
import type { ServerParts } from './listed-servers.ts'
import type { LockRequest, Server, ServerId } from '../server-service.ts'

interface LockOptions {
  readonly parts: Pick<ServerParts, 'used' | 'stored' | 'state'>
  readonly serverOf: (id: ServerId) => Server
}

export async function lockServers(
  { parts, serverOf }: LockOptions,
  { folder, onProgress }: LockRequest,
  signal: AbortSignal,
): Promise<readonly LockedServer[]> {
  const used = usedServers(parts)
  let settled = 0
  onProgress(settled, used.length)
  const ended = await Promise.allSettled(
    used.map(({ id }) => lockServer(serverOf(id), signal).finally(() => onProgress(++settled, used.length))),
  )
  signal.throwIfAborted()
  const failures = ended.flatMap((each, index) =>
    each.status === 'rejected' ? `  ${used[index]?.name}: ${messageOf(each.reason)}` : [],
  )
  if (failures.length > 0)
    throw new OstlerError('lock.unreachable', `These servers could not be connected:\n${failures.join('\n')}`)
  return [
    ...ended.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
    ...(folder === undefined ? [] : seenIn(folder, parts)),
  ]
}

function usedServers({ used, stored }: LockOptions['parts']) {
  const fileServers = { choice: used.file.storedServers, fileServers: used.servers.names }
  return [
    ...used.servers.all.filter(({ entry }) => entry.enabled),
    ...stored.list().filter((row) => useOfStoredServer(row, fileServers) === 'used'),
  ]
}

async function lockServer(server: Server, signal: AbortSignal): Promise<LockedServer> {
  const {
    client: { name, seen },
    server: { config, written = config },
  } = await server.use({ signal })
  if (seen === undefined) throw new OstlerError('mcp.connection_lost', 'the connection was lost')
  return { owner: 'agent', name, entry: hashEntry(written), definitions: definitionsOf(seen) }
}

/** As they were when they were last connected. */
function seenIn(folder: string, { used, state }: LockOptions['parts']): readonly LockedServer[] {
  const seen = state.find()?.servers.known(agentName(used.file.name)).seenIn(folder) ?? []
  return seen.map(({ name, entry, server }) => {
    return { owner: 'editor', name, entry, definitions: definitionsOf(server) }
  })
}
