import type { JsonSchema } from '../../messages/tool.ts'
import { isRecord } from '../../base/is-record.ts'
import { lengthOf, spend, spendSchema, type Budget } from './budget.ts'
import { listOf, stringsOf, unique } from './json.ts'
import { resolveRef, type RefScope } from './resolve-ref.ts'

/** Merges the members of `allOf` into one schema with all properties and requirements. */
export function mergeAllOf(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  if (!Array.isArray(schema['allOf'])) return { schema, scope }
  const open = new Set(scope.open)
  const members = membersOf(schema, scope, open)
  return { schema: combine(members, 'any', scope.budget), scope: { ...scope, open: [...open] } }
}

/** Returns all members, including nested ones, each before the schema that contains it. */
function membersOf(schema: JsonSchema, scope: RefScope, open: Set<string>): JsonSchema[] {
  const { allOf, ...own } = schema
  const members: JsonSchema[] = []
  for (const member of listOf(allOf)) {
    if (!isRecord(member)) continue
    if (!spendSchema(scope.budget, member)) break
    const resolved = resolveRef(member, scope)
    for (const ref of resolved.scope.open) open.add(ref)
    for (const inner of membersOf(resolved.schema, resolved.scope, open)) members.push(inner)
  }
  members.push(own)
  return members
}

/**
 * Merges the root into a single object, because vendors accept nothing else there. Properties of all alternatives are combined, and only
 * those required by every alternative are required. This is looser than the original, but arguments are checked against the original before
 * a tool runs.
 */
export function mergeRoot(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  const resolved = resolveRef(schema, scope)
  const merged = mergeAllOf(resolved.schema, resolved.scope)
  const { anyOf, oneOf, ...own } = merged.schema
  const open = new Set(merged.scope.open)
  const alternatives: JsonSchema[] = []
  for (const alternative of [...listOf(anyOf), ...listOf(oneOf)]) {
    if (!isRecord(alternative)) continue
    if (!spendSchema(scope.budget, alternative)) break
    const inner = mergeRoot(alternative, merged.scope)
    for (const ref of inner.scope.open) open.add(ref)
    if (mayBeObject(inner.schema)) alternatives.push(inner.schema)
  }
  const object =
    alternatives.length === 0
      ? own
      : combine([combine(alternatives, 'all', scope.budget), own], 'any', scope.budget)
  return { schema: object, scope: { ...scope, open: [...open] } }
}

function mayBeObject(schema: JsonSchema): boolean {
  const type = schema['type']
  return type === undefined || type === 'object' || listOf(type).includes('object')
}

/** Combines schemas with the properties of all. A property is required if any schema requires it, or only if all do. */
function combine(schemas: readonly JsonSchema[], requiredBy: 'any' | 'all', budget: Budget): JsonSchema {
  const given = new Map<string, unknown[]>()
  const demands = new Map<string, number>()
  for (const { properties, required } of schemas) {
    if (isRecord(properties) && spendSchema(budget, properties))
      for (const [name, property] of Object.entries(properties)) {
        const others = given.get(name)
        if (others === undefined) given.set(name, [property])
        else others.push(property)
      }
    for (const name of new Set(stringsOf(required))) demands.set(name, (demands.get(name) ?? 0) + 1)
  }
  const required = [...demands]
    .filter(([, count]) => requiredBy === 'any' || count === schemas.length)
    .map(([name]) => name)
  const { required: _, ...rest } = Object.fromEntries(schemas.flatMap(Object.entries)) as JsonSchema
  return {
    ...rest,
    ...(given.size > 0 && {
      properties: Object.fromEntries([...given].map(([name, all]) => [name, join(all, budget)])),
    }),
    ...(required.length > 0 && { required }),
  }
}

/** Combines several schemas for one property: `kind: "a"` and `kind: "b"` become an enum. */
function join(all: readonly unknown[], budget: Budget): unknown {
  const [first] = all
  if (all.length === 1) return first
  const paid = all.filter((schema) => spend(budget, lengthOf(schema)))
  const schemas = unique(paid).filter(isRecord)
  if (schemas.length < 2) return schemas[0] ?? first
  if (schemas.every((schema) => choices(schema).length > 0)) {
    const { const: _, ...rest } = Object.fromEntries(schemas.flatMap(Object.entries)) as JsonSchema
    return { ...rest, enum: [...new Set(schemas.flatMap(choices))] }
  }
  return { anyOf: schemas.flatMap((schema) => (hasOnlyAnyOf(schema) ? listOf(schema['anyOf']) : [schema])) }
}

function hasOnlyAnyOf(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 1 && Array.isArray(schema['anyOf'])
}

function choices(schema: JsonSchema): readonly unknown[] {
  return 'const' in schema ? [schema['const']] : listOf(schema['enum'])
}
