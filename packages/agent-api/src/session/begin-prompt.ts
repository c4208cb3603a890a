import type { ContentBlock } from '../messages/content.ts'
import type { SessionState } from './session-state.ts'
import { toTitle } from './session-title.ts'

/** Begins a turn, and names the session after its first prompt. The returned function undoes all of it: the prompt counts as not sent. */
export function beginPrompt({ agent, conversation, log, settings }: SessionState, content: readonly ContentBlock[]): () => void {
  const { title } = settings.current
  const { length } = conversation.messages
  log.beginTurn(content)
  if (title === null) settings.change({ title: agent.redactor.redact(toTitle(content)) })
  return () => {
    conversation.cutTo(length)
    log.forgetTurn()
    settings.change({ title })
  }
}
