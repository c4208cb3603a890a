import { z } from 'zod'
import type { Strike } from '../../base/clean-text.ts'
import type { SessionId } from '../../base/ids.ts'
import { leftReasons, type ToolOffer } from '../../messages/tool-offer.ts'
import type { Journal } from '../db/journal.ts'
import { parseJson, toValid } from '../db/statements.ts'

/** The tools that each session's model was offered. Written when they change, and deleted with the session. */
export interface ToolOffers {
  /** Never fails and never waits. */
  add(sessionId: SessionId, offer: ToolOffer): void
  list(sessionId: SessionId, fromTurn?: number): readonly ToolOffer[]
}

const offersMax = 50

/** Nothing is stored for a session that another process has deleted. */
const insert = `INSERT INTO tool_offers (session_id, turn, step, body) SELECT id, ?, ?, ? FROM sessions WHERE id = ?
  ON CONFLICT (session_id, turn, step) DO UPDATE SET body = excluded.body`
const clear = `DELETE FROM tool_offers WHERE session_id = ? AND (turn, step) <
  (SELECT turn, step FROM tool_offers WHERE session_id = ? ORDER BY turn DESC, step DESC LIMIT 1 OFFSET ${offersMax - 1})`
const select =
  'SELECT turn, step, body FROM tool_offers WHERE session_id = ? AND turn >= ? ORDER BY turn, step'

const rowSchema = z.object({
  turn: z.number(),
  step: z.number(),
  body: z
    .string()
    .transform(parseJson)
    .pipe(
      z.object({
        tools: z.array(z.string()),
        count: z.number(),
        left: z.array(
          z.object({ reason: z.enum(leftReasons), names: z.array(z.string()), count: z.number() }),
        ),
      }),
    ),
})

export function createToolOffers(journal: Pick<Journal, 'read' | 'write'>, strike: Strike): ToolOffers {
  return {
    add(sessionId, { turn, step, ...offer }) {
      const body = JSON.stringify(strike(offer))
      journal.write((statements) => {
        statements.run(insert, turn, step, body, sessionId)
        statements.run(clear, sessionId, sessionId)
      }, body.length)
    },
    list: (sessionId, fromTurn = 0) =>
      journal.read((statements) =>
        toValid(rowSchema, statements.all(select, sessionId, fromTurn)).map(({ turn, step, body }) => ({
          turn,
          step,
          ...body,
        })),
      ),
  }
}
