import { lookUpRef } from '../messages/schema-ref.ts'
import type { JsonSchema } from '../messages/tool.ts'

/** No schema nests references this deeply on purpose. */
const writtenOutDepthMax = 1_000

/**
 * Counts the values of a schema with its references expanded. Visits each value once, so the work is linear. Recursion ends where a schema
 * meets itself.
 */
export function writtenOutNodes(root: JsonSchema): number {
  const counts = new Map<object, number>()
  return countOf(root, 0)

  function countOf(value: unknown, depth: number): number {
    if (typeof value !== 'object' || value === null) return 1
    const known = counts.get(value)
    if (known !== undefined) return known
    if (depth > writtenOutDepthMax) return Number.POSITIVE_INFINITY
    counts.set(value, 1)
    let count = 1
    for (const [key, inner] of Object.entries(value)) {
      count += countOf(inner, depth + 1)
      if (refKeywords.has(key) && typeof inner === 'string')
        count += countOf(lookUpRef(inner, root), depth + 1)
    }
    counts.set(value, count)
    return count
  }
}

const refKeywords: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])
