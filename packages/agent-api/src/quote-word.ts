import { redactedMark } from './secrets/redact.ts'

/** A word as a shell would have to be given it. */
export function quoteWord(word: string): string {
  const plain = word.replaceAll(redactedMark, '')
  return /^[\w@%+=:,./~-]*$/.test(plain) && word !== '' ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
