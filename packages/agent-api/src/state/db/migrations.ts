import type { DatabaseSync } from 'node:sqlite'
import { OstlerError } from '../../base/errors.ts'

/** Migrations in order. Those that a database lacks run in one transaction. Released entries never change; add a new one instead. */
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
        opened_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_time ON sessions (agent, updated_at, id);
      CREATE INDEX sessions_by_use ON sessions (updated_at, id);
      CREATE INDEX sessions_by_cwd ON sessions (agent, cwd, updated_at, id);

      CREATE TABLE messages (
        seq INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        turn INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('prompt', 'event', 'message')),
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_session ON messages (session_id, turn, seq);
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
        status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'success', 'error', 'denied', 'cancelled', 'interrupted')),
        decision TEXT,
        rule TEXT,
        started_at TEXT NOT NULL,
        started_ms REAL NOT NULL,
        ended_at TEXT,
        duration_ms REAL,
        result_bytes INTEGER,
        error TEXT,
        process TEXT NOT NULL,
        change INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX tool_calls_by_session ON tool_calls (session_id, turn, seq);
      CREATE INDEX tool_calls_by_change ON tool_calls (change);
      CREATE INDEX tool_calls_open ON tool_calls (seq) WHERE status IN ('pending', 'running');

      -- Apart from the rest, which stays small and quick to walk through.
      CREATE TABLE tool_call_bodies (
        seq INTEGER PRIMARY KEY,
        arguments TEXT NOT NULL,
        result TEXT
      ) STRICT;

      -- Of calls that have ended: the words in them, and what lists are filtered by as words that nobody can type.
      CREATE VIRTUAL TABLE tool_calls_words USING fts5 (
        words, content = '', contentless_delete = 1, detail = 'none', tokenize = "unicode61 tokenchars '§'"
      );
      -- Left to itself it puts itself in order after some deletions, all at once, and that takes a second.
      INSERT INTO tool_calls_words (tool_calls_words, rank) VALUES ('deletemerge', 0);

      -- Grows with every row that comes or changes, and never falls back: a deleted row must not hide the next one from those who follow.
      CREATE TABLE call_changes (last INTEGER NOT NULL, deleted INTEGER NOT NULL) STRICT;
      INSERT INTO call_changes VALUES (0, 0);
      -- Between which rows an hour lies. Clocks are set back, so rows are not in the order of their time.
      CREATE TABLE call_hours (hour TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      -- No server is ''.
      CREATE TABLE called_tools (server TEXT NOT NULL, tool TEXT NOT NULL, PRIMARY KEY (server, tool)) STRICT, WITHOUT ROWID;

      CREATE TRIGGER tool_calls_added AFTER INSERT ON tool_calls BEGIN
        UPDATE call_changes SET last = last + 1;
        UPDATE tool_calls SET change = (SELECT last FROM call_changes) WHERE seq = new.seq;
        INSERT INTO call_hours VALUES (substr(new.started_at, 1, 13), new.seq, new.seq)
          ON CONFLICT (hour) DO UPDATE SET first = min(first, new.seq), last = max(last, new.seq);
        INSERT OR IGNORE INTO called_tools VALUES (coalesce(new.server, ''), new.tool);
      END;
      CREATE TRIGGER tool_calls_changed AFTER UPDATE OF status, decision ON tool_calls BEGIN
        UPDATE call_changes SET last = last + 1;
        UPDATE tool_calls SET change = (SELECT last FROM call_changes) WHERE seq = new.seq;
      END;
      CREATE TRIGGER tool_calls_deleted AFTER DELETE ON tool_calls BEGIN
        DELETE FROM tool_call_bodies WHERE seq = old.seq;
        DELETE FROM tool_calls_words WHERE rowid = old.seq;
        UPDATE call_changes SET deleted = deleted + 1;
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
        secret_store TEXT CHECK (secret_store IN ('keyring', 'file', 'memory')),
        enabled INTEGER NOT NULL DEFAULT 1,
        revision INTEGER NOT NULL DEFAULT 1,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        last_connected_at TEXT
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE servers_version (version INTEGER NOT NULL) STRICT;
      INSERT INTO servers_version (version) VALUES (0);
      CREATE TRIGGER servers_added AFTER INSERT ON servers BEGIN
        UPDATE servers_version SET version = version + 1;
      END;
      CREATE TRIGGER servers_changed AFTER UPDATE OF revision ON servers BEGIN
        UPDATE servers_version SET version = version + 1;
      END;
      CREATE TRIGGER servers_removed AFTER DELETE ON servers BEGIN
        UPDATE servers_version SET version = version + 1;
      END;
    `,
  },
  {
    name: 'live_servers',
    sql: `
      CREATE TABLE live_servers (
        process TEXT NOT NULL,
        agent TEXT NOT NULL,
        session_id TEXT,
        name TEXT NOT NULL,
        transport TEXT NOT NULL,
        origin TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT,
        tools INTEGER NOT NULL,
        prompts INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX live_servers_by_owner ON live_servers (process, session_id);
    `,
  },
  {
    name: 'open_sessions',
    sql: `
      CREATE TABLE open_sessions (
        session_id TEXT NOT NULL,
        process TEXT NOT NULL,
        PRIMARY KEY (session_id, process)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'live_servers_needs_login',
    sql: 'ALTER TABLE live_servers ADD COLUMN needs_login INTEGER NOT NULL DEFAULT 0',
  },
  {
    name: 'calls_of_stored_servers',
    sql: `
      ALTER TABLE tool_calls ADD COLUMN server_id TEXT;
      -- The names under which calls of a stored server were recorded.
      CREATE TABLE called_server_names (
        server_id TEXT NOT NULL,
        server TEXT NOT NULL,
        PRIMARY KEY (server_id, server)
      ) STRICT, WITHOUT ROWID;
      CREATE TRIGGER tool_calls_of_stored_servers AFTER INSERT ON tool_calls WHEN new.server_id IS NOT NULL BEGIN
        INSERT OR IGNORE INTO called_server_names VALUES (new.server_id, new.server);
      END;
    `,
  },
  {
    name: 'process_ends',
    sql: `
      CREATE TABLE process_ends (
        seq INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        process TEXT NOT NULL,
        reason TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    name: 'grants_of_commands',
    sql: 'ALTER TABLE grants ADD COLUMN command TEXT',
  },
  {
    name: 'sessions_thought_level',
    sql: 'ALTER TABLE sessions ADD COLUMN thought_level TEXT',
  },
  {
    name: 'known_servers',
    sql: `
      -- What servers offered when they were last connected, by the hash of their identity.
      CREATE TABLE known_servers (
        agent TEXT NOT NULL,
        identity TEXT NOT NULL,
        definition TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (agent, identity)
      ) STRICT;
    `,
  },
  {
    name: 'file_changes',
    sql: `
      -- What files were before a prompt changed them, to take the changes back.
      CREATE TABLE file_changes (
        seq INTEGER PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        turn INTEGER NOT NULL,
        path TEXT NOT NULL,
        before TEXT,
        bytes INTEGER NOT NULL,
        form TEXT NOT NULL,
        after TEXT,
        UNIQUE (session_id, turn, path)
      ) STRICT;
      -- Sums up the bytes without reading the texts.
      CREATE INDEX file_changes_by_turn ON file_changes (session_id, turn, bytes, seq);
    `,
  },
  {
    name: 'kept_results',
    sql: `
      -- The whole texts of results that were cut for the conversation, in parts.
      CREATE TABLE kept_results (
        call_id TEXT NOT NULL,
        start INTEGER NOT NULL,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        line INTEGER NOT NULL,
        length INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (call_id, start)
      ) STRICT;
      CREATE INDEX kept_results_by_session ON kept_results (session_id);
      CREATE TRIGGER kept_results_of_calls AFTER DELETE ON tool_calls BEGIN
        DELETE FROM kept_results WHERE call_id = old.id;
      END;
    `,
  },
  {
    name: 'tool_calls_waited',
    // The part of the duration before the call ran: it waited for a person's answer and for a free slot.
    sql: 'ALTER TABLE tool_calls ADD COLUMN waited_ms REAL',
  },
  {
    name: 'questions',
    sql: `
      -- Questions that wait for a person, while they do.
      CREATE TABLE questions (
        id TEXT PRIMARY KEY,
        process TEXT NOT NULL,
        agent TEXT NOT NULL,
        session_id TEXT NOT NULL,
        asked_at TEXT NOT NULL,
        body TEXT NOT NULL,
        answer TEXT
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'grants_of_origins',
    sql: `
      ALTER TABLE grants ADD COLUMN origin TEXT;
      -- These allowed the pages of every host. Nobody was told so.
      DELETE FROM grants WHERE server IS NULL AND tool = 'fetch_url' AND verdict = 'allow';
    `,
  },
  {
    name: 'grants_definitions',
    // The text of the tool's definition when the grant was given. Null in older grants.
    sql: 'ALTER TABLE grants ADD COLUMN definition TEXT',
  },
  {
    name: 'tool_offers',
    sql: `
      -- What the model was offered from a step on, and why other tools were not.
      CREATE TABLE tool_offers (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        turn INTEGER NOT NULL,
        step INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (session_id, turn, step)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'question_keys',
    // Answers are encrypted for the process that asks.
    sql: 'ALTER TABLE questions ADD COLUMN key TEXT',
  },
  {
    name: 'live_servers_identity',
    sql: 'ALTER TABLE live_servers ADD COLUMN identity TEXT',
  },
  {
    name: 'known_servers_credentials',
    sql: `
      -- What a server offers can depend on credentials, which were not noted. So what is known is learned again.
      DROP TABLE known_servers;
      CREATE TABLE known_servers (
        agent TEXT NOT NULL,
        identity TEXT NOT NULL,
        -- A keyed hash. The key is not in the database.
        credentials TEXT NOT NULL,
        definition TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        PRIMARY KEY (agent, identity, credentials)
      ) STRICT;
    `,
  },
  {
    name: 'clock',
    sql: `
      -- One row: the last reading of the clock, since when it has not jumped, and the time that is trusted, in milliseconds.
      CREATE TABLE clock (seen_at INTEGER NOT NULL, steady_since INTEGER NOT NULL, trusted_at INTEGER NOT NULL) STRICT;
      INSERT INTO clock SELECT last, 0, last FROM (SELECT coalesce(unixepoch(max(updated_at)), unixepoch()) * 1000 AS last FROM sessions);
    `,
  },
  {
    name: 'off_tools',
    sql: `
      -- Tools that a person has switched off in a folder, by the hash of their server's identity.
      CREATE TABLE off_tools (
        agent TEXT NOT NULL,
        cwd TEXT NOT NULL,
        identity TEXT NOT NULL,
        tool TEXT NOT NULL,
        PRIMARY KEY (agent, cwd, identity, tool)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'live_servers_sizes',
    // The tokens of each tool, as the session counts them.
    sql: 'ALTER TABLE live_servers ADD COLUMN sizes TEXT',
  },
  {
    name: 'tool_calls_fence',
    // The fence in which the call ran, in words. Null if no setting asked for one.
    sql: 'ALTER TABLE tool_calls ADD COLUMN fence TEXT',
  },
  {
    name: 'baselines',
    sql: `
      -- The definitions that a person has accepted of a server, and the hashes of refused ones, by the hash of its identity.
      CREATE TABLE baselines (agent TEXT NOT NULL, identity TEXT NOT NULL, baseline TEXT NOT NULL, PRIMARY KEY (agent, identity)) STRICT;
    `,
  },
]

/** Rejects a database from a newer Ostler. */
export function migrate(database: DatabaseSync): void {
  // Check without a lock first: another writer must not hold up a start with nothing to migrate.
  if (checkedVersion(database) === migrations.length) return
  // Take the lock: of two processes starting at once, the second waits here and finds the migration done.
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const { sql } of migrations.slice(checkedVersion(database))) database.exec(sql)
    database.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Throws for a database from a newer Ostler. */
export function checkedVersion(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
  if (version <= migrations.length) return version
  throw new OstlerError(
    'history.too_new',
    'The history was written by a newer Ostler than this one. Update Ostler, or choose another directory with --state-dir.',
  )
}
