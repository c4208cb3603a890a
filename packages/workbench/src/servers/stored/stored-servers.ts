import { randomUUID } from 'node:crypto'
import { OstlerError, type Logger, createRedactor } from '@ostler/agent-api'
import {
  type Environment,
  messageOf,
  type State,
  type ServerRow,
  invalidServer,
  toOwnEntry,
  type ServerSecrets,
} from '@ostler/agent-api/internal'
import {
  checkDraft,
  mergedDraft,
  nameProblems,
  withDefaults,
  type CheckedServerDraft,
} from './server-draft.ts'
import type { NewServer, RemovedServer, ServerUpdates } from '../server-service.ts'

export type StoredServers = ReturnType<typeof createStoredServers>

interface StoredServersOptions {
  readonly state: () => State | undefined
  /** Creates state if necessary. */
  readonly writableState: () => State
  readonly secrets: ServerSecrets
  readonly env: Environment
  readonly logger: Logger
}

/** The stored servers of a state directory. Entries are validated, and their secrets go to the secret store. */
export function createStoredServers({ state, writableState, secrets, env, logger }: StoredServersOptions) {
  const find = (id: string) => state()?.servers.find(id)

  /** Throws `servers.unknown`. */
  function get(id: string): ServerRow {
    const row = find(id)
    if (row !== undefined) return row
    throw new OstlerError('servers.unknown', `There is no server with the id '${id}'.`)
  }

  async function add(server: NewServer): Promise<ServerRow> {
    const draft = checkDraft({ ...server, entry: withDefaults(server.entry) }, env)
    const { name } = draft
    // Stored in its own column, so that it can be changed without the secrets.
    const { enabled, ...entry } = draft.sealed
    const { servers } = writableState()
    const id = randomUUID()
    servers.checkName(name, id)
    const secretStore = await secrets.write(id, draft.secrets)
    const now = new Date().toISOString()
    const row = { id, name, entry, secretStore, enabled: enabled !== false, createdAt: now, updatedAt: now }
    try {
      await servers.insert(row)
    } catch (error) {
      await forgetSecrets(id, secretStore)
      throw error
    }
    return { ...row, revision: 1, lastConnectedAt: null }
  }

  async function update(id: string, updates: ServerUpdates): Promise<ServerRow> {
    const row = get(id)
    const enabled = updates.enabled ?? booleanOf(toOwnEntry(updates.entry ?? {})['enabled']) ?? row.enabled
    const name = updates.name ?? row.name
    state()?.servers.checkName(name, id)
    if (updates.entry === undefined && updates.secret === undefined) {
      const problems = nameProblems(name)
      if (problems.length > 0) throw invalidServer(name, problems, createRedactor())
      return write({ ...row, name, enabled })
    }
    const checked = await mergedDraft(row, updates, { secrets, env })
    const { enabled: _, ...entry } = checked.sealed
    const before = await secrets.read(id, row.secretStore).catch(() => undefined)
    const hasSameSecrets = isSame(before, checked.secrets)
    const secretStore = hasSameSecrets ? row.secretStore : await secrets.write(id, checked.secrets)
    try {
      const written = await write({ ...row, name: checked.name, entry, secretStore, enabled })
      if (secretStore !== row.secretStore) await forgetSecrets(id, row.secretStore)
      return written
    } catch (error) {
      // The row was not changed, so its secrets are restored as well.
      if (secretStore !== row.secretStore) await forgetSecrets(id, secretStore)
      else if (before !== undefined && !hasSameSecrets) await secrets.write(id, before).catch(() => undefined)
      throw error
    }
  }

  async function write(row: ServerRow): Promise<ServerRow> {
    const updated = { ...row, updatedAt: new Date().toISOString() }
    if (await writableState().servers.update(updated)) return { ...updated, revision: row.revision + 1 }
    throw new OstlerError(
      'servers.changed',
      `The server '${row.name}' was changed or removed in the meantime. Reload it.`,
    )
  }

  async function remove(id: string): Promise<RemovedServer> {
    const { name, secretStore } = get(id)
    await writableState().servers.delete(id)
    const problem = await forgetSecrets(id, secretStore)
    if (problem === undefined) return {}
    return {
      warning: `The server '${name}' was removed, but its secrets are still in the secret store: ${problem}`,
    }
  }

  /** Returns the reason if that fails. */
  async function forgetSecrets(id: string, kind: ServerRow['secretStore']): Promise<string | undefined> {
    try {
      await secrets.delete(id, kind)
      return undefined
    } catch (error) {
      logger.warn('the secrets of a server could not be deleted', { id, error: messageOf(error) })
      return messageOf(error)
    }
  }

  return {
    list: (): readonly ServerRow[] => state()?.servers.list() ?? [],
    find,
    get,
    add,
    update,
    remove,
    /** The result of an update, including secrets. Writes nothing. */
    async draft({
      id,
      name,
      entry,
      secret,
    }: NewServer & { readonly id?: string }): Promise<CheckedServerDraft> {
      if (id === undefined) return checkDraft({ name, entry: withDefaults(entry), secret }, env)
      return mergedDraft(get(id), { name, entry, secret }, { secrets, env })
    },
  }
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function isSame(
  one: Readonly<Record<string, string>> | undefined,
  other: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(other)
  return (
    one !== undefined &&
    keys.length === Object.keys(one).length &&
    keys.every((key) => one[key] === other[key])
  )
}
