import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import { OstlerError } from '../../base/errors.ts'
import type { GrantStore } from '../../policy/always-allow/grant.ts'
import type { Journal } from '../db/journal.ts'
import { type Statements, parseJson, toValid } from '../db/statements.ts'
import { createBaselines, type Baselines } from './baselines.ts'
import { createGrantStore } from './grants.ts'
import type { KnownServer } from '../../mcp/known-server.ts'
import { createKnownServers, passedIn, type KnownServers } from './known-servers.ts'
import { createOffTools, type OffTools } from './off-tools.ts'

const select = `SELECT id, name, config AS entry, secret_store AS secretStore, enabled, revision,
  created_at AS createdAt, updated_at AS updatedAt, last_connected_at AS lastConnectedAt FROM servers`

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  entry: z.string().transform(parseJson).pipe(z.record(z.string(), z.unknown())),
  secretStore: z.enum(['keyring', 'file', 'memory']).nullable(),
  enabled: z.number().transform((value) => value !== 0),
  /** Changes with every update. */
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastConnectedAt: z.string().nullable(),
})
/** A stored server as a database row. The entry has placeholders instead of secrets. */
export type ServerRow = Readonly<z.output<typeof rowSchema>>

const insert = `INSERT INTO servers (id, name, config, secret_store, enabled, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`
const update = `UPDATE servers SET name = ?, config = ?, secret_store = ?, enabled = ?, updated_at = ?, revision = revision + 1
  WHERE id = ? AND revision = ?`
const connected = 'UPDATE servers SET last_connected_at = ? WHERE id = ?'
const otherOfName = 'SELECT 1 FROM servers WHERE name = ? AND id <> ?'

/** The stored servers of all agents, and what each agent knows of servers: grants for their tools, tools that are switched off, what they offered last, and what was accepted of it. */
export interface Servers {
  list(): readonly ServerRow[]
  hasAny(): boolean
  find(id: string): ServerRow | undefined
  /** Throws `servers.name_taken`. */
  checkName(name: string, id: string): void
  /** Rejects with `servers.name_taken`. */
  insert(row: Omit<ServerRow, 'revision' | 'lastConnectedAt'>): Promise<void>
  /** False if the row no longer has `row.revision`. Rejects with `servers.name_taken`. */
  update(row: ServerRow): Promise<boolean>
  delete(id: string): Promise<void>
  /** Does not count as a change, so that watchers are not notified. */
  noteConnected(id: string): void
  grants(agent: string): GrantStore
  known(agent: string): KnownServers
  /** The last offers of servers that an editor passed in this folder, by their names there. */
  passedIn(folder: string): ReadonlyMap<string, KnownServer>
  baselines(agent: string): Baselines
  off(agent: string, cwd: string): OffTools
}

export function createServers(journal: Journal, strike: Strike): Servers {
  const { read } = journal

  function write<T>(row: Pick<ServerRow, 'id' | 'name'>, work: (statements: Statements) => T): Promise<T> {
    return journal.change((statements) =>
      statements.transaction(() => {
        checkName(statements, row)
        return work(statements)
      }),
    )
  }

  return {
    list: () => read((statements) => toValid(rowSchema, statements.all(`${select} ORDER BY name`))),
    hasAny: () => read(({ get }) => get('SELECT 1 FROM servers LIMIT 1') !== undefined),
    find: (id) => read((statements) => toValid(rowSchema, statements.all(`${select} WHERE id = ?`, id))[0]),
    checkName: (name, id) => read((statements) => checkName(statements, { name, id })),
    insert: (row) =>
      write(row, ({ run }) => void run(insert, row.id, ...valuesOf(row), row.createdAt, row.updatedAt)),
    update: (row) =>
      write(row, ({ run }) => run(update, ...valuesOf(row), row.updatedAt, row.id, row.revision) > 0),
    delete: (id) =>
      journal.change((statements) => void statements.run('DELETE FROM servers WHERE id = ?', id)),
    noteConnected(id) {
      journal.write((statements) => void statements.run(connected, new Date().toISOString(), id))
    },
    grants: (agent) => createGrantStore(journal, agent, strike),
    known: (agent) => createKnownServers(journal, agent),
    passedIn: (folder) => passedIn(journal, folder),
    baselines: (agent) => createBaselines(journal, agent),
    off: (agent, cwd) => createOffTools(journal, agent, cwd),
  }
}

function valuesOf({ name, entry, secretStore, enabled }: Omit<ServerRow, 'revision' | 'lastConnectedAt'>) {
  return [name, JSON.stringify(entry), secretStore, Number(enabled)] as const
}

function checkName(statements: Statements, { name, id }: Pick<ServerRow, 'name' | 'id'>): void {
  if (statements.get(otherOfName, name, id) === undefined) return
  const message = `There is already a stored server named '${name}'. Choose another name, or change that server.`
  throw new OstlerError('servers.name_taken', message, {
    data: { issues: [{ path: ['name'], message: 'is already used by another stored server' }] },
  })
}
