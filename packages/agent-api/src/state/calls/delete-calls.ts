import type { Journal } from '../db/journal.ts'

/** Small steps, so that other writers do not wait long. */
const stepRows = 200

const ended = `status NOT IN ('pending', 'running') AND started_at < ?`
/** Sorts after every time. */
const anyTime = '~'

export function countEndedCalls({ read }: Pick<Journal, 'read'>, before = anyTime): number {
  return read((statements) =>
    Number(statements.get(`SELECT count(*) AS count FROM tool_calls WHERE ${ended}`, before)?.['count']),
  )
}

export async function deleteEndedCalls(
  { change }: Pick<Journal, 'change'>,
  before = anyTime,
): Promise<number> {
  const next = `DELETE FROM tool_calls WHERE seq IN (SELECT seq FROM tool_calls WHERE ${ended} ORDER BY seq LIMIT ${stepRows})`
  let deleted = 0
  for (;;) {
    const rows = await change((statements) => statements.run(next, before))
    if (rows === 0) return deleted
    deleted += rows
  }
}
