import { z } from 'zod'
import type { ToolRef } from '../../messages/tool.ts'
import type { Journal } from '../db/journal.ts'
import { toValid } from '../db/statements.ts'
import { serverNow } from './called-servers.ts'

/** Fewer sessions do not show a habit, and older ones may show one that has ended. */
const sessionsMin = 3
const sessionsMax = 10
const usualShare = 0.8

/** Each tool once per session. Sessions without a call of a server say nothing. */
const selectCalled = `WITH called AS (
    SELECT DISTINCT session_id, ${serverNow} AS server, tool FROM tool_calls AS calls
    WHERE status = 'success' AND server IS NOT NULL AND session_id IN (SELECT id FROM sessions WHERE agent = ? AND cwd = ?)),
  recent AS (SELECT id FROM sessions WHERE id IN (SELECT session_id FROM called) ORDER BY updated_at DESC, id DESC LIMIT ${sessionsMax})
  SELECT server, tool FROM called WHERE session_id IN recent AND (SELECT count(*) FROM recent) >= ${sessionsMin}
  GROUP BY server, tool HAVING count(*) >= ${usualShare} * (SELECT count(*) FROM recent)`

const rowSchema = z.object({ server: z.string(), tool: z.string() })

/** The tools that nearly every recent session of a folder called. Empty if the history cannot be read. */
export function readUsualTools(
  { read }: Pick<Journal, 'read'>,
  agent: string,
  cwd: string,
): readonly ToolRef[] {
  try {
    return read((statements) => toValid(rowSchema, statements.all(selectCalled, agent, cwd)))
  } catch {
    return []
  }
}
