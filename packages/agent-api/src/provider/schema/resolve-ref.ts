import { lookUpRef } from '../../messages/schema-ref.ts'
import type { JsonSchema } from '../../messages/tool.ts'
import { spend, spendSchema, type Budget } from './budget.ts'

/** The root that references point into, and the references being followed: a schema may contain itself. */
export interface RefScope {
  readonly root: JsonSchema
  readonly open: readonly string[]
  readonly budget: Budget
}

/**
 * Replaces a reference, and the references it leads to, by their target. Keywords beside a reference override the target's. At its second
 * occurrence, a recursive schema is replaced by a note.
 */
export function resolveRef(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  const ref = schema['$ref']
  if (typeof ref !== 'string') return { schema, scope }
  const { $ref: _, ...beside } = schema
  const target = lookUpRef(ref, scope.root)
  if (!target || !spendSchema(scope.budget, target) || !spend(scope.budget, scope.open.length))
    return { schema: beside, scope }
  if (scope.open.includes(ref)) {
    const name = ref.slice(ref.lastIndexOf('/') + 1) || 'the whole'
    return {
      schema: {
        ...(typeof target['type'] === 'string' && { type: target['type'] }),
        description: `The same again as ${name}`,
        ...beside,
      },
      scope,
    }
  }
  return resolveRef({ ...target, ...beside }, { ...scope, open: [...scope.open, ref] })
}
