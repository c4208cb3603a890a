import { expect, test } from 'vitest'
import { readUsualTools } from '../../../../packages/agent-api/src/state/calls/usual-tools.ts'
import { openMemoryDatabase } from '../../../../packages/agent-api/src/state/db/database.ts'
import { createStatements } from '../../../../packages/agent-api/src/state/db/statements.ts'

interface PastSession {
  /** Each as `server:tool`, or a tool without a server. */
  readonly calls: readonly string[]
}

/** Sessions of a folder, oldest first. Counts how many calls are looked at. */
function openPast(sessions: readonly PastSession[]) {
  const { database } = openMemoryDatabase()
  const statements = createStatements(database)
  const addSession = `INSERT INTO sessions (id, agent, cwd, directories, created_at, opened_at, updated_at) VALUES (?, 'default', '/one', '[]', ?, ?, ?)`
  const addCall = `INSERT INTO tool_calls (id, agent, session_id, server, tool, status, started_at, started_ms, process)
    VALUES (?, 'default', ?, ?, ?, 'success', ?, 0, '')`
  for (const [place, { calls }] of sessions.entries()) {
    const at = `2026-01-01T00:${String(place).padStart(4, '0')}`
    const id = `session_${place}`
    statements.run(addSession, id, at, at, at)
    for (const [index, call] of calls.entries()) {
      const [tool = '', server = null] = call.split(':').toReversed()
      statements.run(addCall, `${place}-${index}`, id, server, tool, at)
    }
  }
  let looks = 0
  database.function('looked', (status) => {
    looks++
    return status
  })
  database.exec(`ALTER TABLE tool_calls RENAME TO stored_calls;
    CREATE TEMP VIEW tool_calls AS SELECT session_id, server, server_id, tool, looked(status) AS status FROM stored_calls`)
  const read = <T>(query: (given: typeof statements) => T) => query(statements)
  return { tools: () => readUsualTools({ read }, 'default', '/one'), looks: () => looks }
}

const times = (count: number, session: PastSession) => Array.from({ length: count }, () => session)
const shop: PastSession = { calls: ['shop:list', 'shop:list', 'shop:buy'] }

test('a habit of the last ten sessions counts, and sessions without a call of a server are passed over', () => {
  const past = openPast([
    ...times(5, { calls: ['shop:list'] }),
    ...times(10, shop),
    ...times(20, { calls: ['read'] }),
  ])
  expect(past.tools()).toEqual([
    { server: 'shop', tool: 'buy' },
    { server: 'shop', tool: 'list' },
  ])
})

test('a history four times as long is not looked at for longer', () => {
  const looksFor = (sessions: number, session: PastSession) => {
    const past = openPast(times(sessions, session))
    past.tools()
    return past.looks()
  }
  for (const session of [shop, { calls: ['read', 'read', 'read'] }]) {
    expect(looksFor(60, session)).toBeGreaterThan(10)
    expect(looksFor(240, session)).toBe(looksFor(60, session))
  }
})
