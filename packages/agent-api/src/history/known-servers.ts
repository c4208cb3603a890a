import { z } from 'zod'
import type { KnownServer } from '../mcp/known-server.ts'
import type { Journal } from './journal.ts'
import { parseJson } from './stored-json.ts'

/** The servers that an agent was connected to: what they offered, by the hash of their identity. Their configuration is not stored. */
export interface KnownServers {
  /** Undefined if the server is unknown, or if the history cannot be read. */
  find(identity: string): KnownServer | undefined
  /** Stores what a server offers now, unless it is too large. */
  keep(identity: string, server: KnownServer): void
}

/** Larger lists are rare. Sessions wait for servers with such lists. */
const definitionCharsMax = 1024 * 1024
const serversMax = 200
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
  prompts: z.array(z.looseObject({ name: z.string(), arguments: z.array(z.looseObject({ name: z.string(), required: z.boolean() })) })),
})

const select = 'SELECT definition FROM known_servers WHERE agent = ? AND identity = ?'
const selectSame = 'SELECT 1 FROM known_servers WHERE agent = ? AND identity = ? AND definition = ? AND seen_at = ?'
const insert = 'INSERT OR REPLACE INTO known_servers (agent, identity, definition, seen_at) VALUES (?, ?, ?, ?)'
const removeOld = `DELETE FROM known_servers WHERE agent = ?1 AND (seen_at < ?2 OR identity NOT IN
  (SELECT identity FROM known_servers WHERE agent = ?1 ORDER BY seen_at DESC LIMIT ${serversMax}))`

export function createKnownServers(journal: Pick<Journal, 'read' | 'write'>, agent: string): KnownServers {
  return {
    find(identity) {
      try {
        const row = journal.read((statements) => statements.get(select, agent, identity))
        const parsed = schema.safeParse(parseJson(String(row?.['definition'])))
        return parsed.success ? parsed.data : undefined
      } catch {
        return undefined
      }
    },
    keep(identity, server) {
      const definition = JSON.stringify(server)
      if (definition.length > definitionCharsMax) return
      const today = dayOf(Date.now())
      journal.write((statements) => {
        if (statements.get(selectSame, agent, identity, definition, today) !== undefined) return
        statements.run(insert, agent, identity, definition, today)
        statements.run(removeOld, agent, dayOf(Date.now() - unusedDaysMax * dayMs))
      }, definition.length)
    },
  }
}

/** Rows are dated by day, so that a server that is used often is not written often. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
