/** A rough stemmer: it maps `adds` to `add` and keeps `files` apart from `filing`. */
export function stem(word: string): string {
  const singular =
    word.length > 4 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word.replace(/(?<!s)s$/, '')
  const root = singular.length > 4 ? singular.replace(/(?:ing|ed)$/, '') : singular
  return root.length > 3 ? root.replace(/e$/, '') : root
}
