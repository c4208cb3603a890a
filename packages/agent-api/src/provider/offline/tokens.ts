import { wordsOf } from '../../tools/search-terms.ts'
import { coerce } from './coerce.ts'
import type { Schema } from './schema-shape.ts'

export const tokenKinds = ['quoted', 'url', 'fileUrl', 'email', 'path', 'date', 'number'] as const
export type TokenKind = (typeof tokenKinds)[number]

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/** The values found in a text. Each can be taken once, and is then removed from the remaining words. */
export interface Tokens {
  /** `name=value` and `name: value`, if the tool has that argument and the value fits its type. */
  readonly pairs: Readonly<Record<string, unknown>>
  take<T>(kind: TokenKind, fits: (token: Token) => boolean, as: (token: Token) => T): T | undefined
  takeAll(kind: TokenKind): Token[]
  takeAny(kinds?: readonly TokenKind[]): Token | undefined
  /** Removes the word if it occurs as a whole word. Returns true if it did. */
  takeWord(word: string): boolean
  /** Removes the match from the remaining words. Returns its first group, or the whole match. */
  takeMatch(pattern: RegExp): string | undefined
  has(pattern: RegExp): boolean
  hasTaken(): boolean
  rest(): string
}

/** Only the start of a text is searched for values: the patterns are slow on long texts, and the rest is usually prose. */
export const searchedLengthMax = 4_000

/** In search order: a number within a path is part of the path. */
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
  // A link's label repeats its address.
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
      // A cheap check first: of a long list, hardly any word occurs, and a pattern for each takes long.
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
/** A value is JSON, a quoted text or one word. After a colon, it extends to the next comma or line break. */
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
