import type { ContentBlock } from '../messages/content.ts'
import type { SessionState } from './session-state.ts'
import { toTitle } from './session-title.ts'

/** Names a session after the first prompt that its model reads. */
export function nameSession({ agent, settings }: SessionState, content: readonly ContentBlock[]): void {
  if (settings.current.title === null) settings.change({ title: agent.membranes.strike(toTitle(content)) })
}
