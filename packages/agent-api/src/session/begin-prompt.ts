import type { ContentBlock } from '../messages/content.ts'
import { lineOf } from './commands/command.ts'
import type { SessionRecord } from './session-record.ts'
import { nameSession } from './session-title.ts'

/** Begins a turn. The returned function undoes it completely: the prompt then counts as not sent. */
export function beginPrompt(record: SessionRecord, content: readonly ContentBlock[]): () => void {
  const { memory, log, settings } = record
  const { title } = settings.current
  const before = { ...memory }
  log.beginTurn(content)
  // A command may be one that the model never reads.
  if (lineOf(content) === undefined) nameSession(record, content)
  return () => {
    Object.assign(memory, before)
    log.forgetTurn()
    settings.change({ title })
  }
}
