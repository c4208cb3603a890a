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
  {
    name: 'sessions',
    sql: `
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        cwd TEXT NOT NULL,
        directories TEXT NOT NULL,
        title TEXT,
        model TEXT,
        mode TEXT,
        turns INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_time ON sessions (agent, updated_at, id);
      CREATE INDEX sessions_by_cwd ON sessions (agent, cwd, updated_at, id);

      CREATE TABLE messages (
        seq INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        turn INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('prompt', 'event', 'message')),
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_session ON messages (session_id, seq);
    `,
  },
  {
    name: 'tool_calls',
    sql: `
      CREATE TABLE tool_calls (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
        turn INTEGER,
        server TEXT,
        tool TEXT NOT NULL,
        arguments TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'success', 'error', 'denied', 'cancelled', 'interrupted')),
        decision TEXT,
        rule TEXT,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        duration_ms REAL,
        result TEXT,
        result_bytes INTEGER,
        error TEXT,
        process TEXT NOT NULL
      ) STRICT;
      CREATE INDEX tool_calls_by_session ON tool_calls (session_id, seq);
      CREATE INDEX tool_calls_by_server ON tool_calls (server, seq);
      CREATE INDEX tool_calls_by_tool ON tool_calls (tool, seq);
      CREATE INDEX tool_calls_by_status ON tool_calls (status, seq);
      CREATE INDEX tool_calls_by_time ON tool_calls (started_at);
      CREATE INDEX tool_calls_open ON tool_calls (seq) WHERE status IN ('pending', 'running');

      CREATE VIRTUAL TABLE tool_calls_text USING fts5 (text, content = '', contentless_delete = 1);
      CREATE TRIGGER tool_calls_text_forget AFTER DELETE ON tool_calls BEGIN
        DELETE FROM tool_calls_text WHERE rowid = old.seq;
      END;
    `,
  },
  {
    name: 'servers',
    sql: `
      CREATE TABLE servers (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        config TEXT NOT NULL,
        secret_store TEXT,
        enabled INTEGER NOT NULL DEFAULT 1,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        last_connected_at TEXT
      ) STRICT, WITHOUT ROWID;
    `,
  },
]

/** Brings the database to the present. One that a newer Ostler has written is left alone. */
export function migrate(database: DatabaseSync): void {
  // Looked at without a lock first: another process that is writing must not hold up a start that has nothing to change.
  while (checkedVersion(database) < migrations.length) migrateOnce(database)
}

function migrateOnce(database: DatabaseSync): void {
  // Two processes that start at once must not both run the same step: the second waits here and finds it done.
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = checkedVersion(database)
    const next = migrations[version]
    if (next !== undefined) database.exec(`${next.sql}; PRAGMA user_version = ${version + 1}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function checkedVersion(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (version <= migrations.length) return version
  throw new OstlerError(
    'history.too_new',
    'The state was written by a newer Ostler than this one. Update Ostler, or name another --state-dir.',
  )
}
