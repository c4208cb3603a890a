import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../support/acp-scripted.ts'
import { load, openSessionLab } from '../support/acp-sessions.ts'

const words = Array.from({ length: 1_000 }, (_, index) => `${index} `)
/** The system decides how many bytes one read returns. A thousand chunks are at most 250 KB, and a read returns 16 KB or more. */
const piecesMax = 20

test.each(formats)(
  '%s: a thousand chunks that arrive together are few updates and few rows',
  async (vendor) => {
    await using lab = await openSessionLab(() => ({ text: words }), { vendor })
    await using editor = await lab.open()
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    const before = rowsWritten(lab.stateDir)
    await editor.prompt(sessionId, 'count')
    const shown = editor
      .updates(sessionId)
      .flatMap((update) => (update.sessionUpdate === 'agent_message_chunk' ? [update.content] : []))
    expect(shown.map((content) => (content.type === 'text' ? content.text : '')).join('')).toBe(
      words.join(''),
    )
    expect(shown.length).toBeLessThanOrEqual(piecesMax)
    // Also the prompt, the messages, the usage and the end of the turn.
    expect(rowsWritten(lab.stateDir) - before).toBeLessThanOrEqual(piecesMax + 10)

    await using other = await lab.open()
    expect(JSON.stringify((await load(other, { sessionId, cwd: lab.path })).updates)).toContain(
      words.join(''),
    )
  },
)

/** Rows are numbered in order. The last one of a turn is not merged with others. */
function rowsWritten(stateDir: string): number {
  using database = new DatabaseSync(join(stateDir, 'ostler.db'), { readOnly: true })
  return Number(database.prepare('SELECT max(seq) AS seq FROM messages').get()?.['seq'] ?? 0)
}
