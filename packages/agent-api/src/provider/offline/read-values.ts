/** A value in a sentence. A path may also be an address. */
export interface Value {
  readonly kind: 'quoted' | 'path' | 'number'
  readonly text: string
}

/** Only the start of a text is searched for values, so that the patterns stay fast. The rest is usually prose. */
export const readCharsMax = 4_000

const quoted = /"([^"]*)"|“([^”]*)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu

/** Finds the values in a text, in their order, and the words between them. */
export function readValues(said: string): { readonly values: Value[]; readonly rest: string } {
  const found: (Value & { readonly at: number })[] = []
  const take = (kind: Value['kind'], text: string, at: number, length: number) => {
    found.push({ kind, text, at })
    return ' '.repeat(length)
  }
  const rest = said
    .slice(0, readCharsMax)
    // A link's label repeats its address.
    .replace(/\[[^\]\n]{0,300}\]\(([^)\s]+)\)/g, '$1')
    .replace(quoted, (whole, a?: string, b?: string, c?: string, d?: string, at = 0) =>
      take('quoted', a ?? b ?? c ?? d ?? '', at, whole.length),
    )
    .replace(/[^\s,;]+/g, (word, at: number) => {
      const text = word.replace(/[.!?:)]+$/, '')
      const kind = kindOf(text)
      return kind === undefined ? word : take(kind, text, at, word.length)
    })
  return { values: found.toSorted((a, b) => a.at - b.at), rest }
}

/** A pattern such as `*.md` is text, but never a path. */
function kindOf(text: string): Value['kind'] | undefined {
  if (text.includes('*')) return 'quoted'
  if (/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text)) return 'number'
  return isPath(text) ? 'path' : undefined
}

export function isPath(text: string): boolean {
  return /^\S*[/\\@]\S|^~|^[\w.-]+\.[a-z][a-z0-9]{0,4}$/i.test(text) && !text.includes('*')
}
