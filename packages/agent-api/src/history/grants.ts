import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { GrantStore, StoredGrant } from '../policy/grant-store.ts'

const rowSchema = z.object({
  id: z.number(),
  server: z.string().nullable(),
  tool: z.string(),
  verdict: z.enum(['allow', 'deny']),
  pin: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.object({ definition: z.string(), identity: z.string(), parts: z.record(z.string(), z.string()) })),
  created_at: z.string(),
})

/** Under which name an agent's grants are kept. */
export function agentName(name: string | undefined): string {
  return name ?? 'default'
}

/** The grants of one agent in the database, shared by all its processes: what one person says in one window holds in the next. */
export function createGrantStore(database: DatabaseSync, agent: string): GrantStore {
  const select = database.prepare('SELECT id, server, tool, verdict, pin, created_at FROM grants WHERE agent = ? ORDER BY id')
  const replace = database.prepare('DELETE FROM grants WHERE agent = ? AND server IS ? AND tool = ?')
  const insert = database.prepare('INSERT INTO grants (agent, server, tool, verdict, pin, created_at) VALUES (?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM grants WHERE agent = ? AND id = ?')
  return {
    list: () => select.all(agent).map(toGrant),
    add(grants) {
      const createdAt = new Date().toISOString()
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const { ref, verdict, pin } of grants) {
          replace.run(agent, ref.server, ref.tool)
          insert.run(agent, ref.server, ref.tool, verdict, JSON.stringify(pin), createdAt)
        }
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    revoke: (id) => Number(remove.run(agent, id).changes) > 0,
  }
}

function toGrant(row: unknown): StoredGrant {
  const { id, server, tool, verdict, pin, created_at: createdAt } = rowSchema.parse(row)
  return { id, ref: { server, tool }, verdict, scope: 'always', pin, createdAt }
}
