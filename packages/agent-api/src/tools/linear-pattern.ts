import { RE2JS } from 're2js'

/** Longer patterns take too long to compile. */
const patternCharsMax = 1_000

export interface LinearPattern {
  /** Work per character of the text. */
  readonly size: number
  readonly test: (text: string) => boolean
}

/**
 * Compiles a pattern for linear-time matching (RE2). Patterns come from servers, and on a backtracking engine even a short one can block
 * the process forever. Returns undefined if RE2 does not support the pattern.
 */
export function compileLinearPattern(pattern: string): LinearPattern | undefined {
  if (pattern.length > patternCharsMax) return undefined
  try {
    const compiled = RE2JS.compile(pattern)
    return { size: compiled.programSize(), test: (text) => compiled.matcher(text).find() }
  } catch {
    return undefined
  }
}
