import { z } from 'zod'
import type { SessionId } from '../../base/ids.ts'
import type { FileChange, FileChanges } from '../../messages/file-change.ts'
import type { Journal } from '../db/journal.ts'
import type { Statements } from '../db/statements.ts'

/** The oldest prompts are dropped first. */
const turnsMax = 20
const sessionBytesMax = 32 * 1024 * 1024
const allBytesMax = 256 * 1024 * 1024

const rowSchema = z.object({
  path: z.string(),
  before: z.string().nullable(),
  form: z.string(),
  after: z.string().nullable(),
})

const insert = `INSERT INTO file_changes (session_id, turn, path, before, bytes, form) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (session_id, turn, path) DO NOTHING`
const setAfter = 'UPDATE file_changes SET after = ? WHERE session_id = ? AND turn = ? AND path = ?'
const selectLast = `SELECT turn, path, before, form, after FROM file_changes
  WHERE session_id = ?1 AND turn = (SELECT max(turn) FROM file_changes WHERE session_id = ?1) ORDER BY seq`
const removeOne = 'DELETE FROM file_changes WHERE session_id = ? AND turn = ? AND path = ?'
const removeOldTurns = `DELETE FROM file_changes WHERE session_id = ?1 AND turn NOT IN
  (SELECT DISTINCT turn FROM file_changes WHERE session_id = ?1 ORDER BY turn DESC LIMIT ?2)`

/** The texts are stored unredacted, because `/undo` writes them back. */
export function createFileChanges(
  journal: Pick<Journal, 'read' | 'write'>,
  session: SessionId,
  turn: () => number,
): FileChanges {
  return {
    begin({ path, before, form }) {
      const current = turn()
      const bytes = Buffer.byteLength(before ?? '')
      journal.write((statements) => {
        statements.transaction(() => {
          if (statements.run(insert, session, current, path, before, bytes, form) > 0)
            shrink(statements, session)
        })
      }, bytes)
    },
    done(path, after) {
      const current = turn()
      journal.write((statements) => void statements.run(setAfter, after, session, current, path))
    },
    drop(path) {
      const current = turn()
      journal.write(
        (statements) => void statements.run(`${removeOne} AND after IS NULL`, session, current, path),
      )
    },
    last: () => journal.read((statements) => toLast(statements.all(selectLast, session))),
    forget(of, paths) {
      journal.write((statements) => {
        statements.transaction(() => {
          for (const path of paths) statements.run(removeOne, session, of, path)
        })
      })
    },
  }
}

function toLast(rows: readonly Readonly<Record<string, unknown>>[]): ReturnType<FileChanges['last']> {
  const [first] = rows
  if (first === undefined) return undefined
  return { turn: Number(first['turn']), changes: rows.map((row): FileChange => rowSchema.parse(row)) }
}

function shrink(statements: Statements, session: SessionId): void {
  statements.run(removeOldTurns, session, turnsMax)
  dropOldest(statements, sessionBytesMax, 'WHERE session_id = ?', [session])
  dropOldest(statements, allBytesMax, '', [])
}

/** Drops whole turns, so that a prompt is undone completely or not at all. */
function dropOldest(
  statements: Statements,
  bytesMax: number,
  where: string,
  values: readonly string[],
): void {
  const rows = statements.all(
    `SELECT session_id, turn, sum(bytes) AS size FROM file_changes ${where} GROUP BY session_id, turn ORDER BY max(seq) DESC`,
    ...values,
  )
  let bytes = 0
  for (const { session_id: owner, turn, size } of rows) {
    bytes += Number(size)
    if (bytes > bytesMax)
      statements.run(
        'DELETE FROM file_changes WHERE session_id = ? AND turn = ?',
        String(owner),
        Number(turn),
      )
  }
}
