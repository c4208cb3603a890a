import { isRecord } from '../base/is-record.ts'
import type { JsonSchema } from './tool.ts'

const targets = new WeakMap<JsonSchema, Map<string, JsonSchema | undefined>>()

/** Follows JSON pointers only and fetches nothing. */
export function lookUpRef(ref: string, root: JsonSchema): JsonSchema | undefined {
  let known = targets.get(root)
  if (known === undefined) targets.set(root, (known = new Map()))
  if (!known.has(ref)) known.set(ref, followPointer(ref, root))
  return known.get(ref)
}

function followPointer(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const step of ref.split('/').slice(1)) {
    const key = decodePointer(step)
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  if (typeof at === 'boolean') return at ? {} : { not: {} }
  return isRecord(at) ? at : undefined
}

function decodePointer(step: string): string {
  const unescaped = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(unescaped)
  } catch {
    return unescaped
  }
}
