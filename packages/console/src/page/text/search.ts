/** The words that a person searches for. A text is found if it has all of them. */
export function searchWords(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean)
}

export function toSearch(search: string): (...texts: readonly (string | undefined)[]) => boolean {
  const words = searchWords(search)
  return (...texts) => {
    const text = texts.join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
