import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hashText } from '../../../packages/agent-api/src/base/hash-text.ts'

const callsPerSession = 100
/** Ten million calls are ten years. */
const secondsPerCall = 31
const startOfTime = Date.parse('2016-06-01T00:00:00Z') / 1_000

const numbers = 'WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)'
const at = (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${startOfTime} + ${seconds}, 'unixepoch')`
const session = `'session-' || (n / ${callsPerSession})`
const server = "'server-' || (n % 20)"
const tool = "'tool_' || (n % 7)"
const status = "CASE WHEN n % 10 < 9 THEN 'success' WHEN n % 100 < 97 THEN 'error' ELSE 'denied' END"
/** As the index of the history marks them. */
const facet = (kind: string, value: string) => `'§${kind}' || facet(${value})`
const words = [
  facet('a', "'default'"),
  facet('i', session),
  facet('s', server),
  facet('t', tool),
  facet('e', status),
  server,
  tool,
  "'project word' || (n % 997) || ' rare' || (n / 100)",
].join(' || char(10) || ')

const inserts = {
  sessions: `${numbers} INSERT INTO sessions (id, agent, cwd, directories, title, model, mode, turns, created_at, opened_at, updated_at)
    SELECT 'session-' || n, 'default', '/projects/project-' || (n % 40), '[]', 'Session ' || n, 'offline', 'auto', 5, at, at, at
    FROM (SELECT n, ${at(`n * ${callsPerSession * secondsPerCall}`)} AS at FROM numbers)`,
  calls: `${numbers} INSERT INTO tool_calls (seq, id, agent, session_id, turn, server, tool, status, decision, rule, started_at, started_ms,
      ended_at, duration_ms, result_bytes, process)
    SELECT n + 1, 'call_' || n, 'default', ${session}, 1 + n % 5, ${server}, ${tool}, ${status}, 'allow', 'mode:auto', at, n, at, n % 977, 100,
      'none - 1 1'
    FROM (SELECT n, ${at(`n * ${secondsPerCall}`)} AS at FROM numbers)`,
  bodies: `${numbers} INSERT INTO tool_call_bodies (seq, arguments, result) SELECT n + 1, '{}', '{"content":[]}' FROM numbers`,
  words: `${numbers} INSERT INTO tool_calls_words (rowid, words) SELECT n + 1, ${words} FROM numbers`,
}

/** Adds calls up to a total to a history that has some, one statement for each table. Times are those of the calls, from the first on. */
export function addCalls(stateDir: string, from: number, until: number): void {
  using database = new DatabaseSync(join(stateDir, 'ostler.db'))
  // A history that is made for a measurement may be lost.
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  const hashes = new Map<string, string>()
  database.function('facet', { deterministic: true }, (value) => {
    const text = String(value)
    const known = hashes.get(text)
    if (known !== undefined) return known
    const hash = hashText(text).slice(0, 12)
    // Sessions come one after the other, and each once.
    if (!text.startsWith('session-') || hashes.size < 100) hashes.set(text, hash)
    return hash
  })
  const insert = (sql: string, ...range: readonly number[]) => database.prepare(sql).run(...range.map(BigInt))
  insert(inserts.sessions, from / callsPerSession, until / callsPerSession)
  for (const table of ['calls', 'bodies', 'words'] as const) insert(inserts[table], from, until)
  database.exec('PRAGMA journal_mode = WAL')
}
