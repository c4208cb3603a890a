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

/** The stored servers of a state directory. Entries are validated, and their secrets go to the secret store. */
export interface StoredServers {
  list(): readonly ServerRow[]
  find(id: string): ServerRow | undefined
  /** Throws `servers.unknown`. */
  get(id: string): ServerRow
  add(server: NewServer): Promise<ServerRow>
  update(id: string, updates: ServerUpdates): Promise<ServerRow>
  remove(id: string): Promise<RemovedServer>
  /** The result of an update, including secrets. Writes nothing. */
  draft(server: NewServer & { readonly id?: string }): Promise<CheckedServerDraft>
}

export interface StoredServersOptions {
  readonly state: () => State | undefined
  /** Creates state if necessary. */
  readonly writableState: () => State
  readonly secrets: ServerSecrets
  readonly env: Environment
  readonly logger: Logger
}

export function createStoredServers(options: StoredServersOptions): StoredServers {
  return {
    list: () => options.state()?.servers.list() ?? [],
    find: (id) => findRow(options, id),
    get: (id) => getRow(options, id),
    add: (server) => addServer(options, server),
    update: (id, updates) => changeServer(options, id, updates),
    remove: (id) => removeServer(options, id),
    async draft({ id, name, entry, secret }) {
      if (id === undefined) return checkDraft({ name, entry: withDefaults(entry), secret }, options.env)
      return mergedDraft(getRow(options, id), { name, entry, secret }, options)
    },
  }
}

function findRow({ state }: StoredServersOptions, id: string): ServerRow | undefined {
  return state()?.servers.find(id)
}

function getRow(options: StoredServersOptions, id: string): ServerRow {
  const row = findRow(options, id)
  if (row !== undefined) return row
  throw new OstlerError('servers.unknown', `There is no server with the id '${id}'.`)
}

async function addServer(options: StoredServersOptions, server: NewServer): Promise<ServerRow> {
  const { secrets } = options
  const {
    name,
    sealed,
    secrets: values,
  } = checkDraft({ ...server, entry: withDefaults(server.entry) }, options.env)
  // Stored in its own column, so that it can be changed without the secrets.
  const { enabled, ...entry } = sealed
  const { servers } = options.writableState()
  const id = randomUUID()
  servers.checkName(name, id)
  const secretStore = await secrets.write(id, values)
  const now = new Date().toISOString()
  const row = { id, name, entry, secretStore, enabled: enabled !== false, createdAt: now, updatedAt: now }
  try {
    await servers.insert(row)
  } catch (error) {
    await forgetSecrets(options, id, secretStore)
    throw error
  }
  return { ...row, revision: 1, lastConnectedAt: null }
}

async function changeServer(
  options: StoredServersOptions,
  id: string,
  updates: ServerUpdates,
): Promise<ServerRow> {
  const { secrets } = options
  const row = getRow(options, id)
  const enabled = updates.enabled ?? booleanOf(toOwnEntry(updates.entry ?? {})['enabled']) ?? row.enabled
  const hasNewEntry = updates.entry !== undefined || updates.secret !== undefined
  const name = updates.name ?? row.name
  options.state()?.servers.checkName(name, id)
  if (!hasNewEntry) {
    const problems = nameProblems(name)
    if (problems.length > 0) throw invalidServer(name, problems, createRedactor())
    return writeRow(options, { ...row, name, enabled })
  }
  const checked = await mergedDraft(row, updates, options)
  const { enabled: _, ...entry } = checked.sealed
  const before = await secrets.read(id, row.secretStore).catch(() => undefined)
  const secretStore = isSame(before, checked.secrets)
    ? row.secretStore
    : await secrets.write(id, checked.secrets)
  try {
    const written = await writeRow(options, { ...row, name: checked.name, entry, secretStore, enabled })
    if (secretStore !== row.secretStore) await forgetSecrets(options, id, row.secretStore)
    return written
  } catch (error) {
    // The row was not changed, so its secrets are restored as well.
    if (secretStore !== row.secretStore) await forgetSecrets(options, id, secretStore)
    else if (before !== undefined && !isSame(before, checked.secrets))
      await secrets.write(id, before).catch(() => undefined)
    throw error
  }
}

async function removeServer(options: StoredServersOptions, id: string): Promise<RemovedServer> {
  const { name, secretStore } = getRow(options, id)
  await options.writableState().servers.delete(id)
  const problem = await forgetSecrets(options, id, secretStore)
  return problem === undefined
    ? {}
    : {
        warning: `The server '${name}' was removed, but its secrets are still in the secret store: ${problem}`,
      }
}

async function writeRow({ writableState }: StoredServersOptions, row: ServerRow): Promise<ServerRow> {
  const updated = { ...row, updatedAt: new Date().toISOString() }
  if (await writableState().servers.update(updated)) return { ...updated, revision: row.revision + 1 }
  throw new OstlerError(
    'servers.changed',
    `The server '${row.name}' was changed or removed in the meantime. Reload it.`,
  )
}

/** Returns the reason if that fails. */
async function forgetSecrets(
  { secrets, logger }: StoredServersOptions,
  id: string,
  kind: ServerRow['secretStore'],
): Promise<string | undefined> {
  try {
    await secrets.delete(id, kind)
    return undefined
  } catch (error) {
    logger.warn('the secrets of a server could not be deleted', { id, error: messageOf(error) })
    return messageOf(error)
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
