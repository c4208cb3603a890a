/** Folds case without changing the length: an index into the result is valid for the original. */
export function foldCase(text: string): string {
  // U+0130 is the only letter that grows, and final sigma the only one whose lower case depends on its position.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}
