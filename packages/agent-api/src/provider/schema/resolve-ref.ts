import { lookUpRef } from '../../messages/schema-ref.ts'
import type { JsonSchema } from '../../messages/tool.ts'
import { spend, spendSchema, type Budget } from './budget.ts'

/** Where references point into, and which are being followed: a schema may contain itself. */
export interface RefScope {
  readonly root: JsonSchema
  readonly open: readonly string[]
  readonly budget: Budget
}

/**
 * The schema with its reference, and the references that one leads to, put in place; what stands beside a reference wins over it. A schema
 * that contains itself ends at the second meeting, as "the same again".
 */
export function resolveRef(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  const ref = schema['$ref']
  if (typeof ref !== 'string') return { schema, scope }
  const { $ref: _, ...beside } = schema
  const target = lookUpRef(ref, scope.root)
  if (!target || !spendSchema(scope.budget, target) || !spend(scope.budget, scope.open.length)) return { schema: beside, scope }
  if (scope.open.includes(ref)) {
    const name = ref.slice(ref.lastIndexOf('/') + 1) || 'the whole'
    return {
      schema: { ...(typeof target['type'] === 'string' && { type: target['type'] }), description: `The same again as ${name}`, ...beside },
      scope,
    }
  }
  return resolveRef({ ...target, ...beside }, { ...scope, open: [...scope.open, ref] })
}
