import type { SessionUpdate } from '@ostler/acp-server'
import { toSafeLine, toSafeText } from '../terminal/safe-text.ts'

/** A notice as one line, or as a title and the lines of its description. Safe to show. */
export function noticeText({
  title,
  description,
}: Extract<SessionUpdate, { sessionUpdate: 'notice' }>): string {
  const lines = toSafeText(description ?? '')
    .split('\n')
    .map(toSafeLine)
    .filter((line) => line !== '')
  if (lines.length > 1) return [`${toSafeLine(title)}:`, ...lines.map((line) => `  ${line}`)].join('\n')
  return [toSafeLine(title), ...lines].join(': ')
}

/** The text of a thought that is not by the model: it says why Ostler waits. Undefined for other thoughts. */
export function waitText({
  content,
  _meta,
}: Extract<SessionUpdate, { sessionUpdate: 'agent_thought_chunk' }>): string | undefined {
  return _meta?.['ostler/wait'] === true && content.type === 'text' ? toSafeLine(content.text) : undefined
}
