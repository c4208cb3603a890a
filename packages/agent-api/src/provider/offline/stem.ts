/** Close enough to tell `files` from `filing`, and `add` from `adds`. */
export function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ings?|ed|es|s|e)$/, '') : word.replace(/s$/, '')
}
