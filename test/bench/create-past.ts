import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { CallStatus } from '../../packages/agent-api/src/state/calls/call.ts'
import { indexCall } from '../../packages/agent-api/src/state/calls/call-search-index.ts'
import { openDatabase } from '../../packages/agent-api/src/state/db/database.ts'
import { createStatements, type Statements } from '../../packages/agent-api/src/state/db/statements.ts'

/** A reproducible history of calls over a few months. */
export interface Past {
  readonly days: number
  readonly callsPerSession: number
  timeOf(index: number): string
  /** A word out of twenty thousand, some of them frequent. */
  word(): string
  wordOf(rank: number): string
  /** Writes the calls to an empty state directory. */
  build(stateDir: string): { readonly ms: number; readonly bytes: number }
}

const days = 90
const callsPerSession = 100
const servers = Array.from({ length: 20 }, (_, index) => (index === 0 ? null : `server-${index}`))
const toolsPerServer = 10

const insertSession = `INSERT INTO sessions (id, agent, cwd, directories, title, model, mode, turns, created_at, opened_at, updated_at)
  VALUES (?, 'default', ?, '[]', ?, 'offline', 'auto', 5, ?, ?, ?)`
const insertCall = `INSERT INTO tool_calls (id, agent, session_id, turn, server, tool, status, decision, rule, started_at, started_ms,
    ended_at, duration_ms, result_bytes, error, process)
  VALUES (?, 'default', ?, ?, ?, ?, ?, 'allow', 'mode:auto', ?, ?, ?, ?, ?, ?, 'none - 1 1')`
const insertBody = 'INSERT INTO tool_call_bodies (seq, arguments, result) VALUES (?, ?, ?)'

export function createPast(callCount: number, endOfTime = Date.parse('2026-06-01T00:00:00Z')): Past {
  const startOfTime = endOfTime - days * 24 * 60 * 60 * 1_000
  const random = createRandom(1)
  const timeOf = (index: number) =>
    new Date(startOfTime + (index / callCount) * (endOfTime - startOfTime)).toISOString()
  const word = () => wordOf(Math.floor(random() ** 3 * 20_000))

  function addCall(statements: Statements, index: number): void {
    const session = Math.floor(index / callsPerSession)
    const sessionId = `session-${session}`
    const at = timeOf(index)
    if (index % callsPerSession === 0)
      statements.run(
        insertSession,
        sessionId,
        `/projects/project-${session % 40}`,
        `Session ${session}`,
        at,
        at,
        at,
      )
    const seq = index + 1
    // A few servers and tools have most of the calls.
    const server = servers[Math.floor(random() ** 2 * servers.length)] ?? null
    const tool = `tool_${Math.floor(random() * toolsPerServer)}`
    const status = statusOf(random())
    const args = JSON.stringify({
      path: `/home/user/project/${word()}/${word()}.ts`,
      query: `${word()} ${word()}`,
      count: index,
    })
    const text = Array.from({ length: 40 }, word).join(' ')
    const result = JSON.stringify({ content: [{ type: 'text', text }] })
    const durationMs = random() ** 4 * 20_000
    const error = status === 'success' ? null : text
    const values = [
      `call_${index}`,
      sessionId,
      1 + (index % 5),
      server,
      tool,
      status,
      at,
      index,
      at,
      durationMs,
      result.length,
      error,
    ] as const
    statements.run(insertCall, ...values)
    statements.run(insertBody, seq, args, result)
    indexCall(statements, seq, { agent: 'default', sessionId, server, tool, status }, [args, text])
  }

  return {
    days,
    callsPerSession,
    timeOf,
    word,
    wordOf,
    build(stateDir) {
      const started = performance.now()
      const { database } = openDatabase(stateDir)
      const statements = createStatements(database)
      const step = 20_000
      for (let from = 0; from < callCount; from += step) {
        statements.transaction(() => {
          for (let index = from; index < Math.min(from + step, callCount); index++) addCall(statements, index)
        })
      }
      database.close()
      return { ms: performance.now() - started, bytes: statSync(join(stateDir, 'ostler.db')).size }
    },
  }
}

function statusOf(share: number): CallStatus {
  if (share < 0.9) return 'success'
  if (share < 0.97) return 'error'
  if (share < 0.99) return 'denied'
  return share < 0.999 ? 'cancelled' : 'interrupted'
}

function wordOf(rank: number): string {
  return (rank * 7_919 + 104_729).toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')
}

/** A seeded generator, so that all runs create the same rows. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
