import type { Strike } from '../../base/clean-text.ts'
import type { SessionId } from '../../base/ids.ts'
import { joinChunks, type Chunk } from '../../messages/join-chunks.ts'
import { type Statements, parseJson } from '../db/statements.ts'

const select = `SELECT seq, body FROM messages WHERE session_id = ? AND turn = ? AND kind = 'event' ORDER BY seq`
const update = 'UPDATE messages SET body = ? WHERE seq = ?'
// The `+` keeps SQLite from using the index, which would scan the whole session for each text.
const remove = `DELETE FROM messages WHERE +session_id = ? AND +turn = ? AND kind = 'event' AND seq > ? AND seq <= ?`

const nextTurn = 'SELECT min(turn) AS turn FROM messages WHERE session_id = ? AND turn > ?'
const lastEvent = `SELECT body LIKE '{"type":"turn_end"%' AS isEnd FROM messages
  WHERE session_id = ? AND turn = ? AND kind = 'event' ORDER BY seq DESC LIMIT 1`

/** Turns that were cut off still consist of the streamed pieces. */
export function mergeCutOffTurns(statements: Statements, strike: Strike, session: SessionId): void {
  for (let turn = turnAfter(-1); turn !== undefined; turn = turnAfter(turn)) {
    // The last event shows whether a turn ended. Checking all events would read the whole session.
    if (statements.get(lastEvent, session, turn)?.['isEnd'] === 0)
      mergeChunks(statements, strike, session, turn)
  }

  function turnAfter(before: number): number | undefined {
    const turn = statements.get(nextTurn, session, before)?.['turn']
    return typeof turn === 'number' ? turn : undefined
  }
}

/**
 * Joins streamed pieces into one row per text. During a turn, each piece is its own row, so that nothing is lost if the process is killed.
 */
export function mergeChunks(statements: Statements, strike: Strike, session: SessionId, turn: number): void {
  const rows = statements.all(select, session, turn)
  const runs = joinChunks(rows, ({ body }) => toChunk(parseJson(String(body)))).filter(
    ({ first, last }) => first !== last,
  )
  if (runs.length === 0) return
  statements.transaction(() => {
    for (const { first, last, chunk } of runs) {
      // A secret split across two pieces was in neither of them.
      statements.run(
        update,
        JSON.stringify(chunk && { ...chunk, text: strike(chunk.text) }),
        Number(first['seq']),
      )
      statements.run(remove, session, turn, Number(first['seq']), Number(last['seq']))
    }
  })
}

function toChunk(event: unknown): Chunk | undefined {
  const { type, messageId, text } = (event ?? {}) as Readonly<Record<string, unknown>>
  const isChunk =
    (type === 'text' || type === 'thought') && typeof messageId === 'string' && typeof text === 'string'
  return isChunk ? (event as Chunk) : undefined
}
