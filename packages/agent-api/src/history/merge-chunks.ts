import type { SessionId } from '../ids.ts'
import type { Statements } from './statements.ts'

const select = `SELECT seq, body FROM messages WHERE session_id = ? AND turn = ? AND kind = 'event' ORDER BY seq`
const update = 'UPDATE messages SET body = ? WHERE seq = ?'
const remove = `DELETE FROM messages WHERE session_id = ? AND kind = 'event' AND seq > ? AND seq <= ?`

interface Chunk {
  readonly type: 'text' | 'thought'
  readonly messageId: string
  readonly text: string
}

/** While a turn runs every chunk is a row, so that nothing is lost whenever the process is killed; afterwards one row for each text is enough. */
export function mergeChunks(statements: Statements, session: SessionId, turn: number): void {
  const runs = runsOf(statements.all(select, session, turn)).filter(({ first, last }) => last > first)
  if (runs.length === 0) return
  statements.transaction(() => {
    for (const { first, last, chunk } of runs) {
      statements.run(update, JSON.stringify(chunk), first)
      statements.run(remove, session, first, last)
    }
  })
}

function runsOf(rows: readonly Readonly<Record<string, unknown>>[]) {
  const runs: { first: number; last: number; chunk: Chunk; texts: string[] }[] = []
  let current: (typeof runs)[number] | undefined
  for (const { seq, body } of rows) {
    const event = JSON.parse(String(body)) as Chunk
    const isChunk = event.type === 'text' || event.type === 'thought'
    if (isChunk && current?.chunk.type === event.type && current.chunk.messageId === event.messageId) {
      current.last = Number(seq)
      current.texts.push(event.text)
      continue
    }
    current = isChunk ? { first: Number(seq), last: Number(seq), chunk: event, texts: [event.text] } : undefined
    if (current !== undefined) runs.push(current)
  }
  return runs.map(({ first, last, chunk, texts }) => ({ first, last, chunk: { ...chunk, text: texts.join('') } }))
}
