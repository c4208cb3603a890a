import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { databaseFileName, openReadOnlyDatabase } from './database.ts'

/** What a person has set up, unlike what has happened. */
const tables = ['servers', 'grants']

/**
 * Fills an empty database with the servers and grants of a state that cannot be written, for an agent that goes on in memory. Where no
 * state is kept yet there is nothing to copy. Throws when it cannot be read.
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
  if (from.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) === undefined) return
  for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    to.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...Object.values(row))
  }
}
