/** The text without its case, and as long as it was: a place in one is the same place in the other. */
export function foldCase(text: string): string {
  // The only letter that grows, and the only one that depends on its place in a word.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}
