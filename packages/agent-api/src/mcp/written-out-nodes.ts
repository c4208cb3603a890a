import { lookUpRef } from '../messages/schema-ref.ts'
import type { JsonSchema } from '../messages/tool.ts'

/** Deeper, references lead nowhere that anybody meant. */
const writtenOutDepthMax = 1_000

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
