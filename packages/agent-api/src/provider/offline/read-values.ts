/** A value in a sentence. A `bare` one is a path, an address or a date. */
export interface Value {
  readonly kind: 'quoted' | 'bare' | 'number'
  readonly text: string
}

/** Only the start of a text is searched for values: the pattern is slow on long texts, and the rest is usually prose. */
export const readCharsMax = 4_000

/** In quotes, a single word after `called` at the end, or a pattern such as `*.md`. */
const quoted =
  /"((?:[^"\\]|\\.)*)"|“([^”]*)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|(?<=\b(?:called|named)\s)([\p{L}\p{N}_-]+)(?=[.?!]*\s*$)|(?<!\S)([\w./-]*\*[\w*/-]*\.[a-z][a-z0-9]{0,4})\b(?!\*)/giu
const bare = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]]*[^\s)>\].,;!?]`,
    String.raw`[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}`,
    String.raw`\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?\b`,
    String.raw`(?<![\w/])(?:~|\.{1,2})?\/[^\s,;]*[^\s,;.?!]`,
    String.raw`(?<![\w./\\-])[\w.-]+(?:[/\\][\w.-]+)+`,
    String.raw`\b[A-Za-z]:\\[^\s,;]+`,
    String.raw`(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}\b(?!\.)`,
  ].join('|'),
  'gi',
)
const number = /(?<![\w.])[-+]?\d+(?:[.]\d+)?(?:e[-+]?\d+)?(?![\w]|\.\d)/gi

/** Finds the values in a text, in their order, and the words between them. */
export function readValues(said: string): { readonly values: Value[]; readonly rest: string } {
  const found: (Value & { readonly at: number })[] = []
  // A link's label repeats its address.
  let rest = said.slice(0, readCharsMax).replace(/\[[^\]\n]{0,300}\]\(([^)\s]+)\)/g, '$1')
  for (const [kind, pattern] of [
    ['quoted', quoted],
    ['bare', bare],
    ['number', number],
  ] as const)
    rest = rest.replace(pattern, (whole: string, ...groups: unknown[]) => {
      const text = groups.find((group, at) => at < 6 && kind === 'quoted' && typeof group === 'string')
      const at = groups.find((group) => typeof group === 'number')
      found.push({ kind, text: typeof text === 'string' ? text : whole, at: Number(at) })
      return ' '.repeat(whole.length)
    })
  return { values: found.toSorted((a, b) => a.at - b.at).map(({ kind, text }) => ({ kind, text })), rest }
}

export function isPathLike({ kind, text }: Value): boolean {
  return (
    kind === 'bare' ||
    (kind === 'quoted' && !isPattern({ text }) && /^\S*[/\\]|^~|\.[a-z][a-z0-9]{0,4}$/i.test(text))
  )
}

/** `*.md` is a value, but not a path. */
export function isPattern({ text }: Pick<Value, 'text'>): boolean {
  return text.includes('*')
}
