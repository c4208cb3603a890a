import { RE2JS } from 're2js'

/** Longer patterns take long to read. */
const patternCharsMax = 1_000

export interface LinearPattern {
  /** How much work a text is, for each of its characters. */
  readonly size: number
  readonly test: (text: string) => boolean
}

/**
 * Patterns come from servers, so they run in linear time (RE2) and not on the engine's backtracking matcher, where a short one can stop the
 * whole process for ever. Undefined for what RE2 cannot express.
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
