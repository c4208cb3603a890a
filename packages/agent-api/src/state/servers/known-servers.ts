import { z } from 'zod'
import type { KnownServer } from '../../mcp/known-server.ts'
import type { Journal } from '../db/journal.ts'
import { parseJson } from '../db/statements.ts'

/** The hash of a server's identity, and the keyed hash of its credentials, which is read only if there is a row for the identity. */
interface KnownServerKey {
  readonly identity: string
  readonly credentials: string
}

export interface KnownServers {
  /** Undefined also if it cannot be read. */
  find(key: KnownServerKey): KnownServer | undefined
  /** Its last offer, with any credentials. For a person; it is not offered to a model. */
  findLast(identity: string): KnownServer | undefined
  /** Stores what the server offers, unless it is too large. */
  keep(key: KnownServerKey, server: KnownServer): void
}

/** Larger lists are rare. Sessions wait for servers with such lists. */
const definitionCharsMax = 1024 * 1024
const serversMax = 200
/** Per server: a token that is often replaced must not displace other servers. */
const credentialsMax = 5
const unusedDaysMax = 90
const dayMs = 24 * 60 * 60 * 1_000

const schema = z.object({
  server: z.object({
    name: z.string(),
    version: z.string(),
    protocolVersion: z.string(),
    instructions: z.string().optional(),
    hasResources: z.literal(true).optional(),
  }),
  era: z.enum(['legacy', 'modern']),
  tools: z.array(
    z.looseObject({
      name: z.string(),
      title: z.string().optional(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  prompts: z.array(
    z.looseObject({
      name: z.string(),
      arguments: z.array(z.looseObject({ name: z.string(), required: z.boolean() })),
    }),
  ),
  passed: z.object({ folder: z.string(), name: z.string(), entry: z.string() }).optional(),
})

const selectLast =
  'SELECT definition FROM known_servers WHERE agent = ? AND identity = ? ORDER BY rowid DESC LIMIT 1'
const select = 'SELECT definition FROM known_servers WHERE agent = ? AND identity = ? AND credentials = ?'
const selectAny = 'SELECT 1 FROM known_servers WHERE agent = ? AND identity = ? LIMIT 1'
const selectPassed =
  "SELECT definition FROM known_servers WHERE json_extract(definition, '$.passed.folder') = ? ORDER BY rowid"
const selectSame = `${select} AND definition = ? AND seen_at = ?`
const insert =
  'INSERT OR REPLACE INTO known_servers (agent, identity, credentials, definition, seen_at) VALUES (?, ?, ?, ?, ?)'
const newest = 'SELECT rowid FROM known_servers WHERE agent = ?1'
const removeOld = `DELETE FROM known_servers WHERE agent = ?1 AND (seen_at < ?2
  OR rowid NOT IN (${newest} ORDER BY rowid DESC LIMIT ${serversMax})
  OR (identity = ?3 AND rowid NOT IN (${newest} AND identity = ?3 ORDER BY rowid DESC LIMIT ${credentialsMax})))`

export function createKnownServers(journal: Pick<Journal, 'read' | 'write'>, agent: string): KnownServers {
  function find(sql: string, ...key: string[]): KnownServer | undefined {
    try {
      const row = journal.read((statements) => statements.get(sql, agent, ...key))
      if (row === undefined) return undefined
      const parsed = schema.safeParse(parseJson(String(row['definition'])))
      return parsed.success ? parsed.data : undefined
    } catch {
      return undefined
    }
  }

  function isMet(identity: string): boolean {
    try {
      return journal.read((statements) => statements.get(selectAny, agent, identity)) !== undefined
    } catch {
      return false
    }
  }

  return {
    find: (key) => (isMet(key.identity) ? find(select, key.identity, key.credentials) : undefined),
    findLast: (identity) => find(selectLast, identity),
    keep({ identity, credentials }, server) {
      const definition = JSON.stringify(server)
      if (definition.length > definitionCharsMax) return
      const today = dayOf(Date.now())
      journal.write((statements) => {
        if (statements.get(selectSame, agent, identity, credentials, definition, today) !== undefined) return
        statements.run(insert, agent, identity, credentials, definition, today)
        statements.run(removeOld, agent, dayOf(Date.now() - unusedDaysMax * dayMs), identity)
      }, definition.length)
    },
  }
}

/** The last offers of servers that an editor of any agent passed in this folder, by their names there. */
export function passedIn({ read }: Pick<Journal, 'read'>, folder: string): ReadonlyMap<string, KnownServer> {
  const rows = read((statements) => statements.all(selectPassed, folder))
  const servers = rows.flatMap((row) => schema.safeParse(parseJson(String(row['definition']))).data ?? [])
  return new Map(servers.map((server) => [server.passed?.name ?? '', server]))
}

/** Rows are dated by day, so that a server that is used often is not written often. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
