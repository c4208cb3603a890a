/** Quotes a word for a shell, unless all its characters are plain. */
export function quoteWord(word: string, plain = /^[\w@%+=:,./~-]+$/): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
