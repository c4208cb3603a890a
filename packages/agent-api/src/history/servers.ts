import { z } from 'zod'
import type { Statements } from './statements.ts'
import { parseJson, toValid } from './stored-json.ts'

/** A stored server as a database row. `config` contains placeholders instead of secrets. */
export interface ServerRow {
  readonly id: string
  readonly name: string
  readonly config: Readonly<Record<string, unknown>>
  /** The store of its secrets. Null if it has none. */
  readonly secretStore: 'keyring' | 'file' | 'memory' | null
  readonly enabled: boolean
  /** Changes with every update. */
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly lastConnectedAt: string | null
}

const columns = `id, name, config, secret_store AS secretStore, enabled, revision,
  created_at AS createdAt, updated_at AS updatedAt, last_connected_at AS lastConnectedAt`

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  config: z.string().transform(parseJson).pipe(z.record(z.string(), z.unknown())),
  secretStore: z.enum(['keyring', 'file', 'memory']).nullable(),
  enabled: z.number().transform((value) => value !== 0),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastConnectedAt: z.string().nullable(),
})

const insert = `INSERT INTO servers (id, name, config, secret_store, enabled, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`
const update = `UPDATE servers SET name = ?, config = ?, secret_store = ?, enabled = ?, updated_at = ?, revision = revision + 1
  WHERE id = ? AND revision = ?`

export function listServers(statements: Statements): ServerRow[] {
  return [...toValid(rowSchema, statements.all(`SELECT ${columns} FROM servers ORDER BY name`))]
}

export function findServer(statements: Statements, id: string): ServerRow | undefined {
  return toValid(rowSchema, statements.all(`SELECT ${columns} FROM servers WHERE id = ?`, id))[0]
}

export function isNameTaken(statements: Statements, name: string, exceptId: string): boolean {
  return statements.get('SELECT 1 FROM servers WHERE name = ? AND id <> ?', name, exceptId) !== undefined
}

export function insertServer(statements: Statements, row: Omit<ServerRow, 'revision' | 'lastConnectedAt'>): void {
  const { id, name, config, secretStore, enabled, createdAt, updatedAt } = row
  statements.run(insert, id, name, JSON.stringify(config), secretStore, Number(enabled), createdAt, updatedAt)
}

/** False if the row no longer has `row.revision`. */
export function updateServer(statements: Statements, row: Omit<ServerRow, 'createdAt' | 'lastConnectedAt'>): boolean {
  const { id, name, config, secretStore, enabled, updatedAt, revision } = row
  return statements.run(update, name, JSON.stringify(config), secretStore, Number(enabled), updatedAt, id, revision) > 0
}

export function deleteServer(statements: Statements, id: string): void {
  statements.run('DELETE FROM servers WHERE id = ?', id)
}

/** Does not count as a change, so that watchers are not notified. */
export function noteConnected(statements: Statements, id: string): void {
  statements.run('UPDATE servers SET last_connected_at = ? WHERE id = ?', new Date().toISOString(), id)
}
