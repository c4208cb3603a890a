import { wordsOf } from '../../tools/tool-search.ts'
import { coerce } from './coerce.ts'
import type { Schema } from './schema-shape.ts'

export const tokenKinds = ['quoted', 'url', 'fileUrl', 'email', 'path', 'date', 'number'] as const
export type TokenKind = (typeof tokenKinds)[number]

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/** The values that stand in a text. Each is taken once; what is taken is no longer among the words that are left. */
export interface Tokens {
  /** `name=value` and `name: value`, where the tool has such an argument and the value is one. */
  readonly pairs: Readonly<Record<string, unknown>>
  take<T>(kind: TokenKind, fits: (token: Token) => boolean, as: (token: Token) => T): T | undefined
  takeAll(kind: TokenKind): Token[]
  takeAny(kinds?: readonly TokenKind[]): Token | undefined
  /** Whether the word was there, as a word. */
  takeWord(word: string): boolean
  /** What the first group of the pattern stands for, in the words that are left. */
  takeMatch(pattern: RegExp): string | undefined
  has(pattern: RegExp): boolean
  hasTaken(): boolean
  rest(): string
}

/** Values are looked for so far into a text: the patterns below would be slow on a long one, and further on there is only prose. */
export const searchedLengthMax = 4_000

/** In the order in which they are looked for: a number within a path is part of the path. */
const shapes: readonly (readonly [kind: TokenKind, pattern: RegExp])[] = [
  ['quoted', /"((?:[^"\\]|\\.)*)"|“([^”]*)”|`([^`]+)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])/gu],
  ['fileUrl', /file:\/\/[^\s)>\]]+/g],
  ['url', /\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]]*[^\s)>\].,;!?]/gi],
  ['email', /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
  ['date', /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?\b/g],
  [
    'path',
    /(?<![\w/])(?:~|\.{1,2})?\/[^\s,;]*[^\s,;.?!]|(?<![\w./\\-])[\w.-]+(?:[/\\][\w.-]+)+|\b[A-Za-z]:\\[^\s,;]+|(?<![\w./-])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}\b(?!\.)/g,
  ],
  ['number', /(?<![\w.])[-+]?\d+(?:[.]\d+)?(?:e[-+]?\d+)?(?![\w]|\.\d)/gi],
]

export function takeTokens(said: string, properties: Readonly<Record<string, Schema>>): Tokens {
  // A link's label says again what its address says.
  let text = said.slice(0, searchedLengthMax).replace(/\[[^\]\n]{0,300}\]\(([^)\s]+)\)/g, '$1')
  const pairs: Record<string, unknown> = {}
  const byWords = new Map(
    Object.keys(properties)
      .toReversed()
      .map((known) => [wordsOf(known).join(''), known]),
  )
  text = text.replace(pairPattern, (whole: string, name: string, ...groups: (string | undefined)[]) => {
    const property = byWords.get(wordsOf(name).join(''))
    const value = groups.slice(0, pairValueGroups).find((group) => group !== undefined)
    const given = property === undefined || value === undefined ? undefined : coerce(value.trim(), properties[property] ?? {})
    if (property === undefined || given === undefined || Object.hasOwn(pairs, property)) return whole
    pairs[property] = given
    return ' '
  })
  const tokens = findTokens(text)
  const taken = new Set<Placed>()
  const take = (token: Placed | undefined) => (token ? (taken.add(token), token) : undefined)
  const free = (kind?: TokenKind) => tokens.filter((token) => !taken.has(token) && (kind === undefined || token.kind === kind))
  let words = text
  const blank = (start: number, length: number) => void (words = words.slice(0, start) + ' '.repeat(length) + words.slice(start + length))

  const consume = (token: Placed | undefined) => {
    if (take(token) && token) blank(token.start, token.length)
    return token
  }
  return {
    pairs,
    take(kind, fits, as) {
      const token = consume(free(kind).find(fits))
      return token && as(token)
    },
    takeAll: (kind) => free(kind).map((token) => consume(token) ?? token),
    takeAny: (kinds = tokenKinds) => consume(free().find(({ kind }) => kinds.includes(kind))),
    takeWord(word) {
      // Of a long list of words hardly one is there, and a pattern for each would take long.
      if (!words.toLowerCase().includes(word.toLowerCase())) return false
      const match = new RegExp(`(?<![\\p{L}\\p{N}_])${escapeForRegExp(word)}(?![\\p{L}\\p{N}_])`, 'iu').exec(words)
      if (match) blank(match.index, match[0].length)
      return match !== null
    },
    takeMatch(pattern) {
      const match = pattern.exec(words)
      if (match) {
        blank(match.index, match[0].length)
        const end = match.index + match[0].length
        for (const token of tokens) if (token.start >= match.index && token.start < end) taken.add(token)
      }
      return match ? (match[1] ?? match[0]) : undefined
    },
    has: (pattern) => pattern.test(words),
    hasTaken: () => taken.size > 0,
    rest: () => `${words}${said.slice(searchedLengthMax)}`.replace(/\s+/g, ' ').trim(),
  }
}

const pairValueGroups = 6
/** A value is JSON, quoted, or one word; after a colon it goes on to the next comma or line. */
const pairPattern =
  /(?<![\p{L}\p{N}_/-])([\p{L}_][\p{L}\p{N}_-]*)\s*(?:=\s*(?:(\{[^\n]*\}|\[[^\n]*\])|"([^"]*)"|'([^']*)'|([^\s,;]+))|:\s+(?:"([^"]*)"|([^,;\n]+)))/gu

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

interface Placed extends Token {
  readonly start: number
  readonly length: number
}

function findTokens(text: string): Placed[] {
  const found: Placed[] = []
  let left = text
  for (const [kind, pattern] of shapes) {
    left = left.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const start = rest.findLast((item) => typeof item === 'number') ?? 0
      const inner = rest.slice(0, rest.indexOf(start)).find((group) => typeof group === 'string')
      found.push({ kind, text: typeof inner === 'string' ? inner : whole, start, length: whole.length })
      return ' '.repeat(whole.length)
    })
  }
  return found.toSorted((a, b) => a.start - b.start)
}
