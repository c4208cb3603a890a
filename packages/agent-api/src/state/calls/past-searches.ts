import { z } from 'zod'
import type { PastSearch } from '../../messages/tool.ts'
import { serverNow } from './called-servers.ts'
import type { Journal } from '../db/journal.ts'
import { type Statements, toValid } from '../db/statements.ts'

/** Limits on what is read: it must take only a few milliseconds. */
const searchesMax = 500
const sessionsMax = 50
const callsMax = 100
/** Larger prompts and arguments are left out; of others, the beginning counts. */
const bodyBytesMax = 16 * 1024
const textCharsMax = 1_000

/** However long the history of a folder is. */
export const selectSessions = `SELECT id, updated_at FROM sessions WHERE agent = ? AND cwd = ? ORDER BY updated_at DESC, id DESC LIMIT ${sessionsMax}`
const isReadable = (body: string) => `octet_length(${body}) <= ${bodyBytesMax} AND json_valid(${body})`
const selectCalls = `SELECT turn, ${serverNow} AS server, tool, CASE WHEN server IS NULL THEN (SELECT substr(arguments ->> '$.query', 1, ${textCharsMax})
    FROM tool_call_bodies AS bodies WHERE bodies.seq = calls.seq AND ${isReadable('arguments')}) END AS query
  FROM (SELECT * FROM tool_calls WHERE session_id = ? AND turn IS NOT NULL ORDER BY turn DESC, seq DESC LIMIT ${callsMax}) AS calls
  WHERE status = 'success' AND (server IS NOT NULL OR tool = 'find_tools') ORDER BY turn, seq`
const selectPrompt = `SELECT substr((SELECT group_concat(value ->> '$.text', ' ') FROM json_each(body)), 1, ${textCharsMax}) AS text
  FROM messages WHERE session_id = ? AND turn = ? AND kind = 'prompt' AND ${isReadable('body')} ORDER BY seq LIMIT 1`

const callSchema = z.object({
  turn: z.number(),
  server: z.string().nullable(),
  tool: z.string(),
  query: z.string().nullable(),
})

/**
 * The prompts of a folder and the searches of their models, each with the calls of servers that then succeeded in its turn. Nothing is
 * stored for this, so it ends with its session and calls. Empty if the history cannot be read.
 */
export function readPastSearches(
  { read }: Pick<Journal, 'read'>,
  agent: string,
  cwd: string,
): readonly PastSearch[] {
  try {
    return read((statements) => {
      const searches: PastSearch[] = []
      for (const { id } of statements.all(selectSessions, agent, cwd)) {
        searches.push(...searchesOf(statements, String(id)))
        if (searches.length >= searchesMax) break
      }
      return searches.slice(0, searchesMax)
    })
  } catch {
    return []
  }
}

function searchesOf(statements: Statements, session: string): PastSearch[] {
  const turns = Map.groupBy(toValid(callSchema, statements.all(selectCalls, session)), ({ turn }) => turn)
  return [...turns].flatMap(([turn, calls]) => {
    const prompt = statements.get(selectPrompt, session, turn)?.['text']
    const texts = [typeof prompt === 'string' ? prompt : '', ...calls.map(({ query }) => query ?? '')]
    return texts.flatMap((text, place) => {
      const tools = calls
        .slice(place)
        .flatMap(({ server, tool }) => (server === null ? [] : [{ server, tool }]))
      return text === '' || tools.length === 0 ? [] : [{ text, tools }]
    })
  })
}
