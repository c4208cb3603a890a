import { toCanonicalJson } from '../base/json.ts'
import { RE2JS } from 're2js'
import type { JsonSchema } from '../messages/tool.ts'

export interface Run {
  readonly root: JsonSchema
  workLeft: number
  depth: number
  isOver: boolean
}

export interface Place {
  readonly value: unknown
  readonly parent?: Place
  readonly key?: string | number
  /** Cached for lists and objects only: other values are more numerous and cheap to check. */
  inside?: Map<string | number, Place>
  checked?: Map<object, readonly string[]>
}

export function placeIn(parent: Place, key: string | number): Place {
  const value = (parent.value as Record<string | number, unknown>)[key]
  if (typeof value !== 'object' || value === null) return { value, parent, key }
  parent.inside ??= new Map()
  let place = parent.inside.get(key)
  if (place === undefined) parent.inside.set(key, (place = { value, parent, key }))
  return place
}

export function nameOf(place: Place): string {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key)
  return path.length === 0 ? 'the arguments' : path.join('.')
}

export function spend(run: Run, work: number): boolean {
  run.workLeft -= work
  if (run.workLeft < 0) run.isOver = true
  return !run.isOver
}

const patternStepsPerWork = 3
const workOfCompiling = 100

const comparisons = {
  'at least': (value: number, bound: number) => value >= bound,
  'at most': (value: number, bound: number) => value <= bound,
  'more than': (value: number, bound: number) => value > bound,
  'less than': (value: number, bound: number) => value < bound,
  'a multiple of': isMultiple,
}

/** `of` says what is counted: `a list of `. */
export function compare(
  value: unknown,
  how: keyof typeof comparisons,
  bound: unknown,
  of = '',
): string | undefined {
  if (typeof value !== 'number' || typeof bound !== 'number' || comparisons[how](value, bound))
    return undefined
  return `must be ${of}${how} ${bound}`
}

/** Decimal fractions are not exact in binary: 19.99 / 0.01 is 1998.9999999999998. */
function isMultiple(value: number, unit: number): boolean {
  const quotient = value / unit
  return unit === 0 || Math.abs(quotient - Math.round(quotient)) <= 4 * Number.EPSILON * Math.abs(quotient)
}

/** True if the text has at least `length` characters, where a surrogate pair counts as one. */
export function isLongAs(text: string, length: number): boolean {
  if (text.length < length || text.length >= 2 * length) return text.length >= length
  let count = 0
  for (const _ of text) if (++count >= length) return true
  return false
}

const compiled = new Map<string, LinearPattern | null>()
const compiledSizeMax = 20_000
let compiledSize = 0

/** A pattern that cannot be checked, or not within the work limit, counts as a match. */
export function matches(pattern: string, text: string, run: Run): boolean {
  let known = compiled.get(pattern)
  if (known === undefined) {
    if (run.isOver) return true
    known = compileLinearPattern(pattern) ?? null
    const size = known?.size ?? pattern.length
    spend(run, size * workOfCompiling)
    if (compiledSize + size > compiledSizeMax) compiled.clear()
    compiledSize = compiled.size === 0 ? size : compiledSize + size
    compiled.set(pattern, known)
  }
  return (
    known === null || !spend(run, (known.size * (text.length + 1)) / patternStepsPerWork) || known.test(text)
  )
}

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()

export function isOneOf(value: unknown, values: readonly unknown[], run: Run): boolean {
  let known = sets.get(values)
  if (known === undefined) {
    known = new Set(values.map((item) => keyOf(item, run)))
    if (!run.isOver) sets.set(values, known)
  }
  return known.has(keyOf(value, run))
}

export function keyOf(value: unknown, run: Run): unknown {
  if (typeof value !== 'object' || value === null) {
    spend(run, 1)
    return value
  }
  if (run.isOver) return value
  const text = toCanonicalJson(value)
  spend(run, 30 * text.length)
  return `json ${text}`
}

/** Longer patterns take too long to compile. */
const patternCharsMax = 1_000

interface LinearPattern {
  readonly size: number
  readonly test: (text: string) => boolean
}

/**
 * Patterns come from servers, and on a backtracking engine even a short one can block the process forever. Undefined if RE2 does not
 * support the pattern.
 */
function compileLinearPattern(pattern: string): LinearPattern | undefined {
  if (pattern.length > patternCharsMax) return undefined
  try {
    const compiled = RE2JS.compile(pattern)
    return { size: compiled.programSize(), test: (text) => compiled.matcher(text).find() }
  } catch {
    return undefined
  }
}
