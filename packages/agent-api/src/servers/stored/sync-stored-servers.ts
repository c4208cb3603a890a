import { messageOf, OstlerError } from '../../base/errors.ts'
import type { ServerRow } from '../../state/servers/servers.ts'
import type { FollowOptions } from './follow-stored-servers.ts'
import { resolveServer } from './resolve-server.ts'
import { createServerSecrets } from './server-secrets.ts'
import { useOfStoredServer } from './stored-choice.ts'

/** Updates an agent's servers to match the stored ones. Each starts separately, so a slow one does not delay others. */
export function createServerSync(options: FollowOptions): (isOver: () => boolean) => Promise<void> {
  const { stored, servers, agentFileServers, stateDir, env, logger, redactor } = options
  const secrets = createServerSecrets({ stateDir })
  const used = new Map<string, ServerRow>()
  /** Servers that are ending, by id and name. A server must not compete with its previous process for a lock file. */
  const endings = new Map<string, Promise<void>>()
  const shadowed = new Set<string>()
  /** Tried again after the next change of any server: a keyring may be open by then. */
  const failed = new Set<ServerRow>()

  return async (isOver) => {
    if (isOver()) return
    const rows = stored.list()
    warnOfShadowed(rows)
    const wanted = rows.filter((row) => useOfStoredServer(row, agentFileServers()) === 'used')
    for (const row of used.values())
      if (failed.has(row) || !wanted.some((now) => now.id === row.id && now.revision === row.revision))
        end(row)
    const starting = wanted.filter(({ name }) => !used.has(name))
    for (const row of starting) used.set(row.name, row)
    await Promise.all(starting.map((row) => start(row, isOver)))
  }

  async function start(row: ServerRow, isOver: () => boolean): Promise<void> {
    const { id, name } = row
    try {
      const server = await resolveServer(row, { secrets, env, redactor })
      await Promise.all([endings.get(id), endings.get(name)])
      // The name may belong to another server by now.
      if (isOver() || used.get(name) !== row) return
      servers.add(server, () => stored.noteConnected(id))
    } catch (error) {
      if (isOver() || used.get(name) !== row) return
      failed.add(row)
      if (!(error instanceof OstlerError))
        logger.error(`the stored server ${name} could not be started`, { error: messageOf(error) })
      servers.reject(name, error instanceof OstlerError ? error.message : 'unexpected error')
    }
  }

  function end(row: ServerRow): void {
    used.delete(row.name)
    failed.delete(row)
    const ended = servers.remove(row.name).catch((error: unknown) => {
      logger.warn(`the stored server ${row.name} could not be ended`, { error: messageOf(error) })
    })
    for (const key of [row.id, row.name]) {
      endings.set(key, ended)
      void ended.then(() => endings.get(key) === ended && endings.delete(key))
    }
  }

  function warnOfShadowed(rows: readonly ServerRow[]): void {
    const now = rows
      .filter((row) => row.enabled && useOfStoredServer(row, agentFileServers()) === 'shadowed')
      .map(({ name }) => name)
    for (const name of now.filter((name) => !shadowed.has(name))) logger.warn(shadowedText(name))
    shadowed.clear()
    for (const name of now) shadowed.add(name)
  }
}

export function shadowedText(name: string): string {
  return `The stored server '${name}' is not used: the agent file has a server of that name`
}
