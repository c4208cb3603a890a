import { RE2JS } from 're2js'
import { messageOf, OstlerError } from '../../base/errors.ts'

/** True for a path with slashes, relative to where the pattern applies. */
export type PathMatch = (path: string) => boolean

const patternCharsMax = 1_000

/**
 * Compiles a glob pattern: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders. A pattern without
 * a slash matches names at any depth. Throws `search.bad_glob`.
 */
export function compileGlob(pattern: string): PathMatch {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  const isAnchored = plain.length < pattern.length || plain.includes('/')
  try {
    return compilePath(isAnchored ? plain.replace(/\/$/, '/**') : `**/${plain}`, true)
  } catch (error) {
    const shown = JSON.stringify(pattern.slice(0, 50))
    throw new OstlerError('search.bad_glob', `The glob pattern ${shown} cannot be used: ${messageOf(error)}.`)
  }
}

const parts =
  /(?<=^|[/{,])(\*\*)(?:\/|(?=[,}]|$))|\*+|\[([!^]?)((?:\]|\\.|[^\]\\/])(?:\\.|[^\]\\/])*)\]|\\(.)|[^*[\\?{,}]+|./gsu

/** Matches in linear time, however many stars the pattern has. Throws if it cannot be compiled. */
export function compilePath(pattern: string, hasBraces = false): PathMatch {
  if (pattern.length > patternCharsMax) throw new Error(`it is longer than ${patternCharsMax} characters`)
  let depth = 0
  const source = pattern.replace(
    parts,
    (part, folders?: string, negation?: string, set?: string, escaped = part) => {
      if (set !== undefined)
        return `[${negation === '' ? '' : '^/'}${set.replace(/\\(.)|[[\]^]/gsu, toSetItem)}]`
      if (folders !== undefined) return part.endsWith('/') ? '(?:.*/)?' : '.+'
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      if (part === '{' && hasBraces) {
        depth++
        return '(?:'
      }
      if (part === ',' && depth > 0) return '|'
      if (part === '}' && depth > 0) {
        depth--
        return ')'
      }
      return RE2JS.quote(escaped)
    },
  )
  if (depth > 0) return compilePath(pattern)
  const compiled = RE2JS.compile(`(?s)^(?:${source})$`)
  return (path) => compiled.test(path)
}

function toSetItem(part: string, escaped = part): string {
  return /^[\w\u{80}-\u{10ffff}]$/u.test(escaped) ? escaped : `\\${escaped}`
}
