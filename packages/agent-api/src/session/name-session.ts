import type { ContentBlock } from '../messages/content.ts'
import type { SessionState } from './session-state.ts'
import { toTitle } from './session-title.ts'

/** Characters of a text in which a title is looked for. */
const searchedCharsMax = 4_096

/** Names a session after the first prompt that its model reads. */
export function nameSession(state: SessionState, content: readonly ContentBlock[]): void {
  const { settings } = state
  if (settings.current.title === null) settings.change({ title: firstTitle(state, content) })
}

/** The title that a session has after its first prompt. No part of a secret is left where a text is cut. */
export function firstTitle({ agent }: SessionState, content: readonly ContentBlock[]): string {
  const { strike, texts } = agent.membranes
  const cleanStart = (text: string) => texts.clean(text.slice(0, searchedCharsMax), text.length > searchedCharsMax)
  const clean = content.map((block) => (block.type === 'text' ? { ...block, text: cleanStart(block.text.trimStart()) } : block))
  return strike(toTitle(clean))
}
