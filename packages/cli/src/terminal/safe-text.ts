import { stripHidden } from '@ostler/agent-api/internal'

/** Text of a model, a tool or a server, without anything that could move the cursor, change the terminal, or hide text from the person. */
export function toSafeText(text: string): string {
  return stripHidden(text).replaceAll('\r\n', '\n').replaceAll('\r', '')
}

/** The same for a text that must stay on one line. */
export function toSafeLine(text: string): string {
  return toSafeText(text).replace(/\s+/g, ' ').trim()
}
