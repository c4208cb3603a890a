import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import type { CommandGrant } from '../../policy/always-allow/command-rules.ts'
import type { GrantStore, StoredGrant } from '../../policy/always-allow/grant.ts'
import type { Journal } from '../db/journal.ts'
import { parseJson } from '../db/statements.ts'

const rowSchema = z.object({
  id: z.number(),
  server: z.string().nullable(),
  tool: z.string(),
  verdict: z.enum(['allow', 'deny']),
  pin: z
    .string()
    .transform(parseJson)
    .pipe(
      z.object({ definition: z.string(), identity: z.string(), parts: z.record(z.string(), z.string()) }),
    ),
  command: z
    .string()
    .transform(parseJson)
    .pipe(z.object({ words: z.array(z.string()), isExact: z.boolean(), cwd: z.string() }))
    .nullable(),
  origin: z.string().nullable(),
  created_at: z.string(),
})

const select =
  'SELECT id, server, tool, verdict, pin, command, origin, created_at FROM grants WHERE agent = ? ORDER BY id'
const replace =
  'DELETE FROM grants WHERE agent = ? AND server IS ? AND tool = ? AND command IS ? AND origin IS ?'
const selectDefinition = 'SELECT definition FROM grants WHERE agent = ? AND id = ?'
const insert =
  'INSERT INTO grants (agent, server, tool, verdict, pin, command, origin, definition, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
const remove = 'DELETE FROM grants WHERE agent = ? AND id = ?'

/** The grants of one agent, shared by all its processes: a decision in one window also applies in the next. */
export function createGrantStore(
  journal: Pick<Journal, 'read' | 'change'>,
  agent: string,
  strike: Strike,
): GrantStore {
  return {
    list: () => journal.read((statements) => statements.all(select, agent).map(toGrant)),
    definitionOf(id) {
      const text = journal.read((statements) => statements.get(selectDefinition, agent, id))?.['definition']
      return typeof text === 'string' ? text : undefined
    },
    async add(grants) {
      const createdAt = new Date().toISOString()
      await journal.change((statements) =>
        statements.transaction(() => {
          for (const { ref, verdict, pin, command, origin = null, definition } of grants) {
            const key = command === undefined ? null : toKey(command)
            statements.run(replace, agent, ref.server, ref.tool, key, origin)
            const text = definition === undefined ? null : strike(definition)
            statements.run(
              insert,
              agent,
              ref.server,
              ref.tool,
              verdict,
              JSON.stringify(pin),
              key,
              origin,
              text,
              createdAt,
            )
          }
        }),
      )
    },
    revoke: (id) => journal.change((statements) => statements.run(remove, agent, id) > 0),
  }
}

/** The same command always has the same key. */
function toKey({ words, isExact, cwd }: CommandGrant): string {
  return JSON.stringify({ words, isExact, cwd })
}

function toGrant(row: unknown): StoredGrant {
  const { id, server, tool, verdict, pin, command, origin, created_at: createdAt } = rowSchema.parse(row)
  const limits = { ...(command !== null && { command }), ...(origin !== null && { origin }) }
  return { id, ref: { server, tool }, verdict, scope: 'always', pin, ...limits, createdAt }
}
