import { randomUUID } from 'node:crypto'
import type { Environment } from '../../config/environment-overrides.ts'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { deleteServer, findServer, insertServer, isNameTaken, listServers, updateServer, type ServerRow } from '../../history/servers.ts'
import type { Statements } from '../../history/statements.ts'
import type { Logger } from '../../base/logger.ts'
import { createRedactor } from '../../redaction/redact.ts'
import { checkDraft, mergedDraft, nameProblems, withDefaults, type CheckedServerDraft } from './server-draft.ts'
import { invalidServer } from './resolve-server.ts'
import type { ServerSecrets } from './server-secrets.ts'
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
  /** Returns the result of an update, including secrets, without writing it. */
  draft(server: NewServer & { readonly id?: string }): Promise<CheckedServerDraft>
}

export interface StoredServersOptions {
  /** Undefined without state. */
  readonly history: () => History | undefined
  /** Creates state if necessary. Throws if that fails. */
  readonly writableHistory: () => History
  readonly secrets: ServerSecrets
  readonly env: Environment
  readonly logger: Logger
}

export function createStoredServers(options: StoredServersOptions): StoredServers {
  return {
    list: () => options.history()?.journal.read(listServers) ?? [],
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

function findRow({ history }: StoredServersOptions, id: string): ServerRow | undefined {
  return history()?.journal.read((statements) => findServer(statements, id))
}

function getRow(options: StoredServersOptions, id: string): ServerRow {
  const row = findRow(options, id)
  if (row !== undefined) return row
  throw new OstlerError('servers.unknown', `There is no server with the id '${id}'.`)
}

/** Called before any work, and again within the transaction. */
function checkNameIsFree({ name, id }: Pick<ServerRow, 'name' | 'id'>, statements: Statements): void {
  if (isNameTaken(statements, name, id)) throw nameTaken(name)
}

async function addServer(options: StoredServersOptions, server: NewServer): Promise<ServerRow> {
  const { secrets } = options
  const { name, sealed, secrets: values } = checkDraft({ ...server, entry: withDefaults(server.entry) }, options.env)
  // Stored in its own column, so that it can be changed without the secrets.
  const { enabled, ...config } = sealed
  const { journal } = options.writableHistory()
  const id = randomUUID()
  journal.read((statements) => checkNameIsFree({ name, id }, statements))
  const secretStore = await secrets.write(id, values)
  const now = new Date().toISOString()
  const row = { id, name, config, secretStore, enabled: enabled !== false, createdAt: now, updatedAt: now }
  try {
    await journal.change((statements) =>
      statements.transaction(() => {
        checkNameIsFree(row, statements)
        insertServer(statements, row)
      }),
    )
  } catch (error) {
    await forgetSecrets(options, id, secretStore)
    throw error
  }
  return { ...row, revision: 1, lastConnectedAt: null }
}

async function changeServer(options: StoredServersOptions, id: string, updates: ServerUpdates): Promise<ServerRow> {
  const { secrets } = options
  const row = getRow(options, id)
  const enabled = updates.enabled ?? booleanOf(updates.entry?.['enabled']) ?? row.enabled
  const hasNewEntry = updates.entry !== undefined || updates.secret !== undefined
  const name = updates.name ?? row.name
  options.history()?.journal.read((statements) => checkNameIsFree({ name, id }, statements))
  if (!hasNewEntry) {
    const problems = nameProblems(name)
    if (problems.length > 0) throw invalidServer(name, problems, createRedactor())
    return writeRow(options, { ...row, name, enabled })
  }
  const checked = await mergedDraft(row, updates, options)
  const { enabled: _, ...config } = checked.sealed
  const before = await secrets.read(id, row.secretStore).catch(() => undefined)
  const secretStore = isSame(before, checked.secrets) ? row.secretStore : await secrets.write(id, checked.secrets)
  try {
    const written = await writeRow(options, { ...row, name: checked.name, config, secretStore, enabled })
    if (secretStore !== row.secretStore) await forgetSecrets(options, id, row.secretStore)
    return written
  } catch (error) {
    // The row was not changed, so its secrets are restored as well.
    if (secretStore !== row.secretStore) await forgetSecrets(options, id, secretStore)
    else if (before !== undefined && !isSame(before, checked.secrets)) await secrets.write(id, before).catch(() => undefined)
    throw error
  }
}

async function removeServer(options: StoredServersOptions, id: string): Promise<RemovedServer> {
  const { name, secretStore } = getRow(options, id)
  await options.writableHistory().journal.change((statements) => deleteServer(statements, id))
  const problem = await forgetSecrets(options, id, secretStore)
  return problem === undefined
    ? {}
    : { warning: `The server '${name}' was removed, but its secrets are still in the secret store: ${problem}` }
}

async function writeRow({ writableHistory }: StoredServersOptions, row: ServerRow): Promise<ServerRow> {
  const updated = { ...row, updatedAt: new Date().toISOString() }
  const isWritten = await writableHistory().journal.change((statements) =>
    statements.transaction(() => {
      checkNameIsFree(row, statements)
      return updateServer(statements, updated)
    }),
  )
  if (isWritten) return { ...updated, revision: row.revision + 1 }
  throw new OstlerError('servers.changed', `The server '${row.name}' was changed or removed in the meantime. Reload it.`)
}

/** Deletes a server's secrets. Returns the reason if that fails. */
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

function nameTaken(name: string): OstlerError {
  const message = `There is already a stored server named '${name}'. Choose another name, or change that server.`
  return new OstlerError('servers.name_taken', message, {
    data: { issues: [{ path: ['name'], message: 'is already used by another stored server' }] },
  })
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function isSame(one: Readonly<Record<string, string>> | undefined, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(other)
  return one !== undefined && keys.length === Object.keys(one).length && keys.every((key) => one[key] === other[key])
}
