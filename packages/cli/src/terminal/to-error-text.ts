import { toShown } from './format-table.ts'

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
