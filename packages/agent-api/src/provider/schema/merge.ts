import type { JsonSchema } from '../../tools/tool.ts'
import { isRecord } from '../../is-record.ts'
import { isSame, listOf, stringsOf } from './json.ts'
import { resolveRef, type RefScope } from './resolve-ref.ts'

/** `allOf` without the word: every member's properties and demands in one schema. */
export function mergeAllOf(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  const { allOf, ...own } = schema
  let members: JsonSchema = {}
  const open = new Set(scope.open)
  for (const member of listOf(allOf)) {
    if (!isRecord(member)) continue
    const resolved = resolveRef(member, scope)
    const inner = mergeAllOf(resolved.schema, resolved.scope)
    for (const ref of inner.scope.open) open.add(ref)
    members = both(members, inner.schema)
  }
  return { schema: both(members, own), scope: { ...scope, open: [...open] } }
}

/**
 * The root as one object, which is all that vendors take there: alternatives become one set of properties, of which only those are required
 * that every alternative requires. Looser than it was; arguments are checked against the real schema before a tool runs.
 */
export function mergeRoot(schema: JsonSchema, scope: RefScope): { schema: JsonSchema; scope: RefScope } {
  const resolved = resolveRef(schema, scope)
  const merged = mergeAllOf(resolved.schema, resolved.scope)
  const { anyOf, oneOf, ...own } = merged.schema
  const open = new Set(merged.scope.open)
  const alternatives: JsonSchema[] = []
  for (const alternative of [...listOf(anyOf), ...listOf(oneOf)]) {
    if (!isRecord(alternative)) continue
    const inner = mergeRoot(alternative, merged.scope)
    for (const ref of inner.scope.open) open.add(ref)
    if (mayBeObject(inner.schema)) alternatives.push(inner.schema)
  }
  const object = alternatives.length === 0 ? own : both(alternatives.reduce(either), own)
  return { schema: object, scope: { ...scope, open: [...open] } }
}

function mayBeObject(schema: JsonSchema): boolean {
  const type = schema['type']
  return type === undefined || type === 'object' || listOf(type).includes('object')
}

function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  const required = [...new Set([...stringsOf(a['required']), ...stringsOf(b['required'])])]
  return { ...a, ...b, ...properties(a, b), ...(required.length > 0 && { required }) }
}

function either(a: JsonSchema, b: JsonSchema): JsonSchema {
  const inB = stringsOf(b['required'])
  return { ...a, ...b, ...properties(a, b), required: stringsOf(a['required']).filter((name) => inB.includes(name)) }
}

function properties(a: JsonSchema, b: JsonSchema): { properties?: JsonSchema } {
  const inA = isRecord(a['properties']) ? a['properties'] : {}
  const inB = isRecord(b['properties']) ? b['properties'] : {}
  const names = [...new Set([...Object.keys(inA), ...Object.keys(inB)])]
  if (names.length === 0) return {}
  const entries = names.map((name) => {
    if (!Object.hasOwn(inB, name)) return [name, inA[name]] as const
    if (!Object.hasOwn(inA, name)) return [name, inB[name]] as const
    return [name, joined(inA[name], inB[name])] as const
  })
  return { properties: Object.fromEntries(entries) }
}

/** One property that two sides describe: `kind: "a"` here and `kind: "b"` there is a choice of words. */
function joined(a: unknown, b: unknown): unknown {
  if (isSame(a, b)) return a
  if (!isRecord(a) || !isRecord(b)) return isRecord(a) ? a : b
  const words = [...choices(a), ...choices(b)]
  if (choices(a).length > 0 && choices(b).length > 0) {
    const { const: _a, ...left } = a
    const { const: _b, ...right } = b
    return { ...left, ...right, enum: [...new Set(words)] }
  }
  return { anyOf: [...(hasOnlyAnyOf(a) ? listOf(a['anyOf']) : [a]), b] }
}

function hasOnlyAnyOf(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 1 && Array.isArray(schema['anyOf'])
}

function choices(schema: JsonSchema): readonly unknown[] {
  return 'const' in schema ? [schema['const']] : listOf(schema['enum'])
}
