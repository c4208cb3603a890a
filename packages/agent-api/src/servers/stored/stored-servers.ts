import { randomUUID } from 'node:crypto'
import type { Environment } from '../../config/environment-overrides.ts'
import { parseServerEntry } from '../../config/parse-server-entry.ts'
import { serverNameProblem } from '../../config/server-name.ts'
import { messageOf, OstlerError } from '../../base/errors.ts'
import type { History } from '../../history/history.ts'
import { deleteServer, findServer, insertServer, isNameTaken, listServers, updateServer, type ServerRow } from '../../history/servers.ts'
import type { Statements } from '../../history/statements.ts'
import type { Logger } from '../../base/logger.ts'
import { createRedactor } from '../../redaction/redact.ts'
import { sealSecrets, unsealSecrets, type MarkedSecrets, type SealedEntry } from '../../secret-store/seal-secrets.ts'
import { mergeEntry } from './merge-entry.ts'
import { invalidServer } from './resolve-server.ts'
import { labelsIn } from '../../secret-store/secret-placeholders.ts'
import type { ServerSecrets } from './server-secrets.ts'
import type { NewServer, RemovedServer, ServerEntryInput, ServerIssue, ServerUpdates } from '../service/server-service.ts'

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

export interface CheckedServerDraft extends SealedEntry {
  readonly name: string
  readonly entry: ServerEntryInput
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

  /** Validates an entry. Throws all problems at once. */
  function check(name: string, entry: ServerEntryInput, marked: MarkedSecrets | undefined): CheckedServerDraft {
    const sealed = sealSecrets(entry, marked)
    const redactor = createRedactor()
    for (const secret of Object.values(sealed.secrets)) redactor.add(secret)
    const problems = [...nameProblems(name), ...parseServerEntry(name, entry, env).problems]
    if (problems.length > 0) throw invalidServer(name, problems, redactor)
    return { name, entry, ...sealed }
  }

  /** Called before any work, and again within the transaction. */
  function checkNameIsFree({ name, id }: Pick<ServerRow, 'name' | 'id'>, statements: Statements): void {
    if (isNameTaken(statements, name, id)) throw nameTaken(name)
  }

  async function draft({ id, name, entry, secret }: NewServer & { readonly id?: string }): Promise<CheckedServerDraft> {
    if (id === undefined) return check(name, withDefaults(entry), secret)
    return merged(get(id), { name, entry, secret })
  }

  /** Reads stored secrets only if needed, so that an unreadable one can still be replaced. */
  async function merged(row: ServerRow, updates: ServerUpdates): Promise<CheckedServerDraft> {
    const sealed = withDefaults(mergeEntry(row.config, updates.entry ?? {}))
    const values = labelsIn(sealed).length > 0 ? await secrets.read(row.id, row.secretStore) : {}
    return check(updates.name ?? row.name, unsealSecrets(sealed, values), withMarks(row.config, updates.secret))
  }

  return {
    list: () => history()?.journal.read(listServers) ?? [],
    find,
    get,
    draft,
    async add(server) {
      const { name, sealed, secrets: values } = check(server.name, withDefaults(server.entry), server.secret)
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
      const checked = await merged(row, updates)
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
        : { warning: `The server '${name}' is removed, but its secrets are still in the secret store: ${problem}` }
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
    throw new OstlerError('servers.changed', `The server '${row.name}' was changed or removed in the meantime. Look at it again.`)
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

/** Applies the defaults for a server added by a person: it admits all tools. The agent file can restrict them. */
export function withDefaults(entry: ServerEntryInput): ServerEntryInput {
  const mode = entry['mode'] ?? 'dynamic'
  return { ...entry, mode, ...(mode === 'dynamic' && { defaultToolConfig: entry['defaultToolConfig'] ?? {} }) }
}

function nameProblems(name: string): readonly ServerIssue[] {
  const message = serverNameProblem(name)
  return message === undefined ? [] : [{ path: ['name'], message }]
}

function nameTaken(name: string): OstlerError {
  const message = `There is already a stored server named '${name}'.`
  return new OstlerError('servers.name_taken', message, {
    data: { issues: [{ path: ['name'], message: 'is taken by another stored server' }] },
  })
}

const wholeValue = /^(?:\S+\s+)?\$\{secret:[^-}][^}]*\}$/

/** Keeps values secret that were secret before. */
function withMarks(sealed: ServerEntryInput, marked: MarkedSecrets = {}): MarkedSecrets {
  const namesIn = (field: unknown) =>
    Object.entries((field ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'string' && wholeValue.test(value) ? [name] : [],
    )
  return {
    env: [...namesIn(sealed['env']), ...(marked.env ?? [])],
    headers: [...namesIn(sealed['headers']), ...(marked.headers ?? [])],
  }
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function isSame(one: Readonly<Record<string, string>> | undefined, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(other)
  return one !== undefined && keys.length === Object.keys(one).length && keys.every((key) => one[key] === other[key])
}
