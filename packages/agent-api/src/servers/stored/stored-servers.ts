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
import type { NewServer, RemovedServer, ServerUpdates } from '../service/server-service.ts'

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

export function createStoredServers({ history, writableHistory, secrets, env, logger }: StoredServersOptions): StoredServers {
  const find = (id: string) => history()?.journal.read((statements) => findServer(statements, id))

  function get(id: string): ServerRow {
    const row = find(id)
    if (row !== undefined) return row
    throw new OstlerError('servers.unknown', `There is no server with the id '${id}'.`)
  }

  /** Called before any work, and again within the transaction. */
  function checkNameIsFree({ name, id }: Pick<ServerRow, 'name' | 'id'>, statements: Statements): void {
    if (isNameTaken(statements, name, id)) throw nameTaken(name)
  }

  async function draft({ id, name, entry, secret }: NewServer & { readonly id?: string }): Promise<CheckedServerDraft> {
    if (id === undefined) return checkDraft({ name, entry: withDefaults(entry), secret }, env)
    return mergedDraft(get(id), { name, entry, secret }, { secrets, env })
  }

  return {
    list: () => history()?.journal.read(listServers) ?? [],
    find,
    get,
    draft,
    async add(server) {
      const { name, sealed, secrets: values } = checkDraft({ ...server, entry: withDefaults(server.entry) }, env)
      // Stored in its own column, so that it can be changed without the secrets.
      const { enabled, ...config } = sealed
      const { journal } = writableHistory()
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
        await forget(id, secretStore)
        throw error
      }
      return { ...row, revision: 1, lastConnectedAt: null }
    },
    async update(id, updates) {
      const row = get(id)
      const enabled = updates.enabled ?? booleanOf(updates.entry?.['enabled']) ?? row.enabled
      const hasNewEntry = updates.entry !== undefined || updates.secret !== undefined
      const name = updates.name ?? row.name
      history()?.journal.read((statements) => checkNameIsFree({ name, id }, statements))
      if (!hasNewEntry) {
        const problems = nameProblems(name)
        if (problems.length > 0) throw invalidServer(name, problems, createRedactor())
        return write({ ...row, name, enabled })
      }
      const checked = await mergedDraft(row, updates, { secrets, env })
      const { enabled: _, ...config } = checked.sealed
      const before = await secrets.read(id, row.secretStore).catch(() => undefined)
      const secretStore = isSame(before, checked.secrets) ? row.secretStore : await secrets.write(id, checked.secrets)
      try {
        const written = await write({ ...row, name: checked.name, config, secretStore, enabled })
        if (secretStore !== row.secretStore) await forget(id, row.secretStore)
        return written
      } catch (error) {
        // The row was not changed, so restore its secrets, too.
        if (secretStore !== row.secretStore) await forget(id, secretStore)
        else if (before !== undefined && !isSame(before, checked.secrets)) await secrets.write(id, before).catch(() => undefined)
        throw error
      }
    },
    async remove(id) {
      const { name, secretStore } = get(id)
      await writableHistory().journal.change((statements) => deleteServer(statements, id))
      const problem = await forget(id, secretStore)
      return problem === undefined
        ? {}
        : { warning: `The server '${name}' was removed, but its secrets are still in the secret store: ${problem}` }
    },
  }

  async function write(row: ServerRow): Promise<ServerRow> {
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
  async function forget(id: string, kind: ServerRow['secretStore']): Promise<string | undefined> {
    try {
      await secrets.delete(id, kind)
      return undefined
    } catch (error) {
      logger.warn('the secrets of a server could not be deleted', { id, error: messageOf(error) })
      return messageOf(error)
    }
  }
}

function nameTaken(name: string): OstlerError {
  const message = `There is already a stored server named '${name}'.`
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
