import { OstlerError } from '../../base/errors.ts'

/** True for a path with slashes, relative to where the pattern applies. */
export type PathMatch = (path: string) => boolean

type Token =
  | { readonly type: 'char'; readonly char: string }
  /** Any single character, or any of a set. */
  | { readonly type: 'one'; readonly test: (char: string) => boolean }
  | { readonly type: 'many' }

type SegmentMatch = (name: string) => boolean
const anySegments = Symbol('**')
type Segment = SegmentMatch | typeof anySegments

const patternCharsMax = 1_000
const alternativesMax = 100

/**
 * Compiles a glob pattern: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders. A pattern without a slash matches names at any
 * depth. Matching never backtracks over more than one `*`, so no pattern takes long. Throws `search.bad_glob`.
 */
export function compileGlob(pattern: string): PathMatch {
  if (pattern.length > patternCharsMax) throw badGlob(pattern.slice(0, 50), `it is longer than ${patternCharsMax} characters`)
  const alternatives = expandBraces(pattern).map((each) => {
    const plain = each.replace(/^(?:\.?\/)+/, '')
    const isAnchored = plain.length < each.length || plain.includes('/')
    return toSegments(isAnchored ? plain.replace(/\/$/, '/**') : `**/${plain}`)
  })
  return (path) => {
    const names = path.split('/')
    return alternatives.some((segments) => matchSegments(segments, names))
  }
}

/** `**` stands for any number of segments. */
export function toSegments(pattern: string): readonly Segment[] {
  return pattern.split('/').map((segment) => (segment === '**' ? anySegments : compileSegment(segment)))
}

/** Like the matching of `*` in a name, one level up. A `**` at the end needs at least one name. */
export function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let [at, name, afterMany, retry] = [0, 0, -1, 0]
  const last = segments.length - 1
  while (name < names.length) {
    const segment = segments[at]
    if (segment === anySegments) {
      if (at === last) return true
      afterMany = ++at
      retry = name
    } else if (segment?.(names[name] ?? '') === true) {
      at++
      name++
    } else if (afterMany !== -1) {
      at = afterMany
      name = ++retry
    } else return false
  }
  return at === segments.length
}

/** The common forms are compared directly. */
function compileSegment(segment: string): SegmentMatch {
  const tokens = tokenize(segment)
  const literal = (part: readonly Token[]) => part.map((token) => (token.type === 'char' ? token.char : '')).join('')
  const stars = tokens.flatMap((token, index) => (token.type === 'many' ? [index] : []))
  if (tokens.some(({ type }) => type === 'one') || stars.length > 1) return (name) => matchTokens(tokens, Array.from(name))
  const [star] = stars
  if (star === undefined) {
    const whole = literal(tokens)
    return (name) => name === whole
  }
  const [start, end] = [literal(tokens.slice(0, star)), literal(tokens.slice(star + 1))]
  return (name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}

/** On a mismatch, only the last `*` takes one more character: an earlier one could not do better. */
function matchTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let [at, char, afterMany, retry] = [0, 0, -1, 0]
  while (char < chars.length) {
    const token = tokens[at]
    if (token?.type === 'many') {
      afterMany = ++at
      retry = char
    } else if (token !== undefined && matchesOne(token, chars[char] ?? '')) {
      at++
      char++
    } else if (afterMany !== -1) {
      at = afterMany
      char = ++retry
    } else return false
  }
  while (tokens[at]?.type === 'many') at++
  return at === tokens.length
}

function matchesOne(token: Exclude<Token, { type: 'many' }>, char: string): boolean {
  return token.type === 'char' ? token.char === char : token.test(char)
}

function tokenize(segment: string): readonly Token[] {
  const tokens: Token[] = []
  const chars = Array.from(segment)
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '*') {
      if (tokens.at(-1)?.type !== 'many') tokens.push({ type: 'many' })
    } else if (char === '?') tokens.push({ type: 'one', test: () => true })
    else if (char === '[') {
      const set = readSet(chars, at)
      tokens.push(set.token)
      at = set.end
    } else {
      if (char === '\\') at++
      tokens.push({ type: 'char', char: chars[at] ?? '\\' })
    }
  }
  return tokens
}

/** A bracket without an end stands for itself. */
function readSet(chars: readonly string[], start: number): { readonly token: Token; readonly end: number } {
  const isNegated = chars[start + 1] === '!' || chars[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  // A bracket right at the beginning belongs to the set.
  const end = chars.indexOf(']', first + 1)
  if (end === -1) return { token: { type: 'char', char: '[' }, end: start }
  const ranges: (readonly [string, string])[] = []
  for (let at = first; at < end; at++) {
    if (chars[at] === '\\' && at + 1 < end) at++
    const from = chars[at] ?? ''
    const isRange = chars[at + 1] === '-' && at + 2 < end
    ranges.push([from, isRange ? (chars[at + 2] ?? from) : from])
    if (isRange) at += 2
  }
  const test = (char: string) => ranges.some(([from, to]) => char >= from && char <= to) !== isNegated
  return { token: { type: 'one', test }, end }
}

/** `a{b,c{d,e}}` becomes `ab`, `acd` and `ace`. Braces without a comma stay. */
function expandBraces(pattern: string): readonly string[] {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = findBrace(next)
    if (brace === undefined) done.push(next)
    else for (const part of brace.parts) open.push(next.slice(0, brace.start) + part + next.slice(brace.end))
    if (done.length + open.length > alternativesMax) throw badGlob(pattern, `its braces have more than ${alternativesMax} combinations`)
  }
  return done
}

/** The first pair of braces with a comma. */
function findBrace(pattern: string): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const cuts = [start]
    let depth = 0
    for (let at = start; at < pattern.length; at++) {
      const char = pattern[at]
      if (char === '\\') at++
      else if (char === '{') depth++
      else if (char === ',' && depth === 1) cuts.push(at)
      else if (char === '}' && --depth === 0) {
        if (cuts.length === 1) break
        const parts = cuts.map((cut, index) => pattern.slice(cut + 1, cuts[index + 1] ?? at))
        return { start, end: at + 1, parts }
      }
    }
  }
  return undefined
}

function badGlob(pattern: string, reason: string): OstlerError {
  return new OstlerError('search.bad_glob', `The glob pattern ${JSON.stringify(pattern)} cannot be used: ${reason}.`)
}
