import { stripVTControlCharacters } from 'node:util'
import { stripHidden } from '@ostler/agent-api/internal'

/** Text of a model, a tool or a server, without anything that could move the cursor, change the terminal, or hide text from the person. */
export function toSafeText(text: string): string {
  return stripHidden(text).replaceAll('\r\n', '\n').replaceAll('\r', '')
}

/** The same for a text that must stay on one line. */
export function toSafeLine(text: string): string {
  return toSafeText(text).replace(/\s+/g, ' ').trim()
}

/** Longer than any path. A person does not type longer words. */
const wordCharsMax = 500
const [beginChars, endChars] = [200, 50]

/** The text of an error, safe to show. Very long words keep only their beginning and end. */
export function toErrorText(message: string): string {
  const longWord = new RegExp(`\\S{${wordCharsMax},}`, 'g')
  return toShown(message).replaceAll(
    longWord,
    (word) => `${word.slice(0, beginChars)}…${word.slice(-endChars)}`,
  )
}

/** Removes control characters that could move the cursor or hide text. */
export function toShown(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{C}\n\t]/gu, '')
}

/** The same for a text that must stay on one line. */
export function toShownLine(text: string): string {
  return toShown(text).replace(/\s+/g, ' ')
}
