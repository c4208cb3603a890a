import type { Journal } from './journal.ts'

/** One step must not keep others who want to write waiting. */
const stepRows = 200

const ended = `status NOT IN ('pending', 'running') AND started_at < ?`
/** Later than all that can be. */
const anyTime = '~'

/** The calls that have ended and began before then; all of them when there is no such time. */
export function countEndedCalls({ read }: Pick<Journal, 'read'>, before = anyTime): number {
  return read((statements) => Number(statements.get(`SELECT count(*) AS count FROM tool_calls WHERE ${ended}`, before)?.['count']))
}

/** Deletes them, and says how many there were. */
export async function deleteEndedCalls({ change }: Pick<Journal, 'change'>, before = anyTime): Promise<number> {
  const next = `DELETE FROM tool_calls WHERE seq IN (SELECT seq FROM tool_calls WHERE ${ended} ORDER BY seq LIMIT ${stepRows})`
  let deleted = 0
  for (;;) {
    const rows = await change((statements) => statements.run(next, before))
    if (rows === 0) return deleted
    deleted += rows
  }
}
