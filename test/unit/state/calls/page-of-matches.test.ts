import type { SQLInputValue } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { CallQuery } from '../../../../packages/agent-api/src/state/calls/call.ts'
import { listCalls } from '../../../../packages/agent-api/src/state/calls/call-queries.ts'
import { indexCall } from '../../../../packages/agent-api/src/state/calls/call-search-index.ts'
import { openMemoryDatabase } from '../../../../packages/agent-api/src/state/db/database.ts'
import { createStatements } from '../../../../packages/agent-api/src/state/db/statements.ts'

const calls = 30
const insert = `INSERT INTO tool_calls (seq, id, agent, tool, status, started_at, started_ms, process)
  VALUES (?, ?, 'default', 'read', 'success', '2026-01-01T00:00:00.000Z', 0, 'none - 1 1')`

/** Lists calls that all have the same words, and records what is bound where the index is read. */
function listMatching(query: Omit<CallQuery, 'limit'>) {
  const { database } = openMemoryDatabase()
  const statements = createStatements(database)
  const facets = { agent: 'default', sessionId: null, server: null, tool: 'read', status: 'success' } as const
  for (let seq = 1; seq <= calls; seq++) {
    statements.run(insert, seq, `call_${seq}`)
    statements.run('INSERT INTO tool_call_bodies (seq, arguments) VALUES (?, ?)', seq, '{}')
    indexCall(statements, seq, facets, ['word'])
  }
  const bound: SQLInputValue[] = []
  const recorded: typeof statements = {
    ...statements,
    all(sql, ...values) {
      if (sql.includes('MATCH')) bound.push(...values)
      return statements.all(sql, ...values)
    },
  }
  const seqs = listCalls(recorded, { ...query, limit: 3 }).map(({ seq }) => seq)
  database.close()
  return { seqs, bound }
}

// The index ignores the bound of a page if it is not an INTEGER, and then walks all matches from its end: 35 ms for a million calls.
test.each<[name: string, query: Omit<CallQuery, 'limit'>, seqs: readonly number[], bound: bigint]>([
  ['before a call', { text: 'word', before: 10 }, [9, 8, 7], 9n],
  ['after a call', { text: 'word', after: 10 }, [11, 12, 13], 11n],
  ['before the first call', { text: 'word', before: 1 }, [], 0n],
  ['of a status, before a call', { status: 'success', before: 10 }, [9, 8, 7], 9n],
  ['of an agent, after a call', { agent: 'default', after: 10 }, [11, 12, 13], 11n],
])('a page of matches begins at its bound: %s', (_, query, seqs, bound) => {
  const listed = listMatching(query)
  expect(listed.seqs).toEqual(seqs)
  expect(listed.bound).toContain(bound)
})
