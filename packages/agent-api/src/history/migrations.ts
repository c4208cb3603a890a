import type { DatabaseSync } from 'node:sqlite'
import { OstlerError } from '../errors.ts'

/** In order, each run once and in a transaction of its own. What has been released is never changed: a change is a new entry. */
const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'grants',
    sql: `
      CREATE TABLE grants (
        id INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        server TEXT,
        tool TEXT NOT NULL,
        verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'deny')),
        pin TEXT NOT NULL,
        created_at TEXT NOT NULL
      ) STRICT;
      CREATE INDEX grants_by_agent ON grants (agent);
    `,
  },
]

/** Brings the database to the present. One that a newer Ostler has written is left alone. */
export function migrate(database: DatabaseSync): void {
  // Two processes that start at once must not both run the same step: the second waits here and finds it done.
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    if (version > migrations.length) {
      throw new OstlerError(
        'history.too_new',
        'The state was written by a newer Ostler than this one. Update Ostler, or name another --state-dir.',
      )
    }
    for (const { sql } of migrations.slice(version)) database.exec(sql)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
