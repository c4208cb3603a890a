import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { z } from 'zod'
import { seqRange } from './call-queries.ts'
import { serverNow } from './called-servers.ts'
import { parseRule, textsOf, toText } from '../../policy/decision-rule.ts'
import { toList, toInstant } from '../db/conditions.ts'
import type { Journal } from '../db/journal.ts'
import { parseJson, toValid } from '../db/statements.ts'

export interface DecidedCallsQuery {
  readonly agent: string
  readonly since: string
}

export interface DecidedStep {
  readonly calls: readonly DecidedCall[]
  /** Includes those of other agents. */
  readonly rows: number
  readonly bytes: number
}

const stepRows = 2_000
const argumentsBytesMax = 16 * 1024

const schema = z.object({
  id: z.string(),
  sessionId: z.string().nullable(),
  server: z.string().nullable(),
  tool: z.string(),
  decision: z.string(),
  rule: z.string().transform(parseRule),
  startedAt: z.string(),
  arguments: z.string().nullable(),
})

/** A call about which a rule or a person decided. Its arguments are known if it has no server, and if they are short. */
export type DecidedCall = Readonly<Omit<z.output<typeof schema>, 'arguments'>> & {
  readonly arguments?: unknown
}

const notDecided = [
  ...(['console', 'command', 'cancelled'] as const).map((how) => toText({ by: 'person', how })),
  ...textsOf('answer'),
  toText({ by: 'restore', how: 'unchanged' }),
]
// Calls that a person made in the console, on the command line or with `/undo` are not the model's, and
// answers to questions are not decided by rules.
const select = `SELECT id, session_id AS sessionId, ${serverNow} AS server, tool, decision, rule, started_at AS startedAt,
  CASE WHEN server IS NULL THEN (SELECT arguments FROM tool_call_bodies AS bodies WHERE bodies.seq = tool_calls.seq
    AND octet_length(arguments) <= ${argumentsBytesMax}) END AS arguments
  FROM tool_calls WHERE seq > ? AND seq <= ? AND agent = ? AND started_at >= ? AND decision IN ('allow', 'deny') AND rule IS NOT NULL
  AND rule NOT IN ${toList(notDecided)} AND status NOT IN ('pending', 'running') ORDER BY seq DESC`

/** Each step is read in its own turn of the event loop, and the reader stops when it has enough. */
export async function* readDecidedCalls(
  journal: Pick<Journal, 'read'>,
  { agent, since }: DecidedCallsQuery,
): AsyncGenerator<DecidedStep> {
  const range = journal.read((statements) => seqRange(statements, { since }))
  if (range?.first === undefined || range.last === undefined) return
  const newest = journal.read((statements) =>
    Number(statements.get('SELECT max(seq) AS last FROM tool_calls')?.['last'] ?? 0),
  )
  for (let last = Math.min(range.last, newest); last >= range.first; last -= stepRows) {
    const first = Math.max(range.first - 1, last - stepRows)
    const calls = journal.read((statements) =>
      toValid(schema, statements.all(select, first, last, agent, toInstant(since))),
    )
    yield {
      calls: calls.map(toCall),
      rows: last - first,
      bytes: calls.reduce((sum, { arguments: text }) => sum + (text?.length ?? 0), 0),
    }
    await turnOfOthers()
  }
}

function toCall({ arguments: text, ...call }: z.output<typeof schema>): DecidedCall {
  return text === null ? call : { ...call, arguments: parseJson(text) }
}
