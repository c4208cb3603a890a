/** All scopes of both lists, each once. A list is separated by spaces. */
export function unionOfScopes(first = '', second = ''): string {
  return [...new Set([...wordsOf(first), ...wordsOf(second)])].join(' ')
}

/** True if a list contains every scope of another, which must not be empty. */
export function coversScopes(granted = '', needed: string): boolean {
  const words = wordsOf(needed)
  return words.length > 0 && words.every((word) => wordsOf(granted).includes(word))
}

function wordsOf(scopes: string): string[] {
  return scopes.split(' ').filter((word) => word !== '')
}
