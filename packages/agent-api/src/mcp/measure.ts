import { lookUpRef } from '../tools/schema-ref.ts'
import type { JsonSchema } from '../tools/tool.ts'

/** Deeper, references lead nowhere that anybody meant. */
const writtenOutDepthMax = 1_000

export interface JsonLimits {
  readonly depthMax: number
  readonly charsMax: number
}

/** Which limit a JSON value exceeds, if any. Looks no further than the limits, and does not recurse. */
export function exceededLimit(value: unknown, { depthMax, charsMax }: JsonLimits): keyof JsonLimits | undefined {
  let charsLeft = charsMax
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const inner: unknown[] = []
    for (const item of level) {
      charsLeft -= typeof item === 'string' ? item.length : 1
      if (charsLeft < 0) return 'charsMax'
      if (!isNested(item)) continue
      if (depth >= depthMax) return 'depthMax'
      // Not all of an object at once: it may have a million keys.
      for (const key in item) {
        charsLeft -= Array.isArray(item) ? 1 : key.length + 1
        if (charsLeft < 0) return 'charsMax'
        inner.push((item as Record<string, unknown>)[key])
      }
    }
    level = inner
  }
  return undefined
}

/**
 * How many values a schema has once each of its references is written out. Each value is looked at once, so this takes no longer than the
 * schema is long. A schema that contains itself ends where it meets itself.
 */
export function writtenOutNodes(root: JsonSchema): number {
  const counts = new Map<object, number>()
  return countOf(root, 0)

  function countOf(value: unknown, depth: number): number {
    if (!isNested(value)) return 1
    const known = counts.get(value)
    if (known !== undefined) return known
    if (depth > writtenOutDepthMax) return Number.POSITIVE_INFINITY
    counts.set(value, 1)
    let count = 1
    for (const [key, inner] of Object.entries(value)) {
      count += countOf(inner, depth + 1)
      if (refKeywords.has(key) && typeof inner === 'string') count += countOf(lookUpRef(inner, root), depth + 1)
    }
    counts.set(value, count)
    return count
  }
}

const refKeywords: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
