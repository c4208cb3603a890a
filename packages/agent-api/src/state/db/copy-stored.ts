import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { databaseFileName, openReadOnlyDatabase } from './database.ts'

/** Tables that a person configured, as opposed to recorded history. */
const tables = ['servers', 'grants']

/**
 * Copies servers and grants from an unwritable state into an empty database, for an agent that continues in memory. Does nothing if there
 * is no state. Throws if it cannot be read.
 */
export function copyStored(stateDir: string, to: DatabaseSync): void {
  if (statSync(join(stateDir, databaseFileName), { throwIfNoEntry: false }) === undefined) return
  const { database: from } = openReadOnlyDatabase(stateDir, { isBrief: true })
  try {
    to.exec('BEGIN')
    for (const table of tables) copyTable(table, from, to)
    to.exec('COMMIT')
  } catch (error) {
    to.exec('ROLLBACK')
    throw error
  } finally {
    from.close()
  }
}

function copyTable(table: string, from: DatabaseSync, to: DatabaseSync): void {
  if (from.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) === undefined)
    return
  for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    to.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...Object.values(row))
  }
}
