import { toShown } from './format-table.ts'

/** More than any path. A longer word was not typed by a person. */
const wordCharsMax = 500
const [beginChars, endChars] = [200, 50]

/** The text of an error, safe to show. Words of absurd length keep their beginning and end. */
export function toErrorText(message: string): string {
  const longWord = new RegExp(`\\S{${wordCharsMax},}`, 'g')
  return toShown(message).replaceAll(longWord, (word) => `${word.slice(0, beginChars)}…${word.slice(-endChars)}`)
}
