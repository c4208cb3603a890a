import { z } from 'zod'
import type { ToolRef } from '../../messages/tool.ts'
import type { Journal } from '../db/journal.ts'
import { toValid } from '../db/statements.ts'
import { serverNow } from './called-servers.ts'
import { selectSessions } from './past-searches.ts'

/** Fewer sessions do not show a habit, and older ones may show one that has ended. */
const sessionsMin = 3
const sessionsMax = 10
const usualShare = 0.8

const ofServer = `status = 'success' AND server IS NOT NULL`
/** Each tool once per session. Sessions without a call of a server say nothing. */
const selectCalled = `WITH read AS (${selectSessions}),
  recent AS MATERIALIZED (SELECT id FROM read WHERE EXISTS (SELECT 1 FROM tool_calls WHERE session_id = read.id AND ${ofServer})
    ORDER BY updated_at DESC, id DESC LIMIT ${sessionsMax}),
  called AS (SELECT DISTINCT session_id, ${serverNow} AS server, tool FROM tool_calls AS calls WHERE session_id IN recent AND ${ofServer})
  SELECT server, tool FROM called GROUP BY server, tool
  HAVING count(*) >= max(${sessionsMin}, ${usualShare} * (SELECT count(*) FROM recent))`

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
