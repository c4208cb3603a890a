import type { ContentBlock } from '../messages/content.ts'
import { matchCommand } from './commands.ts'
import { nameSession } from './name-session.ts'
import type { SessionState } from './session-state.ts'

/** Begins a turn. The returned function undoes it completely: the prompt then counts as not sent. */
export function beginPrompt(state: SessionState, content: readonly ContentBlock[]): () => void {
  const { memory, log, settings } = state
  const { title } = settings.current
  const before = { ...memory }
  log.beginTurn(content)
  const match = matchCommand(content, state)
  if (match === undefined || match.type === 'prompt') nameSession(state, content)
  return () => {
    Object.assign(memory, before)
    log.forgetTurn()
    settings.change({ title })
  }
}
