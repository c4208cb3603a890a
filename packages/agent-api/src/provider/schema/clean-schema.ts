import type { JsonSchema } from '../../messages/tool.ts'
import type { Dialect } from './dialect.ts'
import { isRecord } from '../../base/is-record.ts'
import { lengthOf, spend, spendSchema, type Budget } from './budget.ts'
import { listOf, stringsOf, unique } from './json.ts'
import { mergeAllOf, mergeRoot } from './merge.ts'
import { resolveRef, type RefScope } from './resolve-ref.ts'

/** Limit on a schema with its references expanded, which may be much larger than the original. Beyond it, anything is allowed. */
export const schemaCharsMax = 200_000
const schemaDepthMax = 24

/** Converts a tool's schema to a vendor's dialect: an object at the root, valid draft 2020-12, no references. Never throws. */
export function cleanSchema(inputSchema: unknown, dialect: Dialect, charsMax: number): JsonSchema {
  const root = isRecord(inputSchema) ? inputSchema : {}
  const budget: Budget = { charsLeft: charsMax }
  const merged = mergeRoot(root, { root, open: [], budget })
  const { enum: _enum, const: _const, not: _not, ...object } = merged.schema
  const properties = isRecord(object['properties']) ? object['properties'] : {}
  return (
    clean({ ...object, type: 'object', properties }, { dialect, budget }, merged.scope, 0) ?? {
      type: 'object',
      properties: {},
    }
  )
}

interface Walk {
  readonly dialect: Dialect
  readonly budget: Budget
}

type Clean = (value: unknown, walk: Walk, scope: RefScope, depth: number) => JsonSchema | undefined

/** Undefined for `false`, which matches nothing. */
const clean: Clean = (value, walk, scope, depth) => {
  if (value === false) return undefined
  if (!isRecord(value) || depth > schemaDepthMax || !spendSchema(walk.budget, value)) return {}
  const resolved = resolveRef(value, scope)
  const merged = walk.dialect.isPlain ? mergeAllOf(resolved.schema, resolved.scope) : resolved
  const source = walk.dialect.isPlain ? inPlainWords(merged.schema) : merged.schema
  const into: Into = { schema: source, walk, scope: merged.scope, depth: depth + 1 }
  const entries: [string, unknown][] = []
  for (const [keyword, given] of Object.entries(source)) {
    if (!walk.dialect.keywords.has(keyword)) continue
    if (!holdsSchemas.has(keyword) && !spend(walk.budget, lengthOf(given))) continue
    const kept = (keywordRules[keyword] ?? asGiven)(given, into)
    if (kept !== undefined) entries.push([keyword, kept])
  }
  return complete(Object.fromEntries(entries), source, walk.dialect)
}

interface Into {
  readonly schema: JsonSchema
  readonly walk: Walk
  readonly scope: RefScope
  readonly depth: number
}

/** Converts one keyword's value. Undefined drops the keyword. */
type KeywordRule = (given: unknown, into: Into) => unknown

const asGiven: KeywordRule = (given) => given
const ifNumber = (given: unknown) => (typeof given === 'number' ? given : undefined)
const ifString: KeywordRule = (given) => (typeof given === 'string' ? given : undefined)
const eachMember: KeywordRule = (given, { walk, scope, depth }) => {
  const members = listOf(given).flatMap((member) => clean(member, walk, scope, depth) ?? [])
  return members.length > 0 ? members : undefined
}

/** Their content is counted when it is cleaned. */
const holdsSchemas: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
])

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const keywordRules: Readonly<Record<string, KeywordRule>> = {
  type(given) {
    if (typeof given === 'string') return types.has(given) ? given : undefined
    const known = [...new Set(stringsOf(given).filter((type) => types.has(type)))]
    return known.length > 1 ? known : known[0]
  },
  title: ifString,
  description: ifString,
  format: (given, { walk }) =>
    typeof given === 'string' && (walk.dialect.formats?.has(given) ?? true) ? given : undefined,
  pattern: (given) => (typeof given === 'string' && isPortablePattern(given) ? given : undefined),
  enum(given, { walk }) {
    const values = walk.dialect.isPlain ? listOf(given).filter(isPlainChoice) : listOf(given)
    return values.length > 0 ? unique(values) : undefined
  },
  minimum: (given, { schema }) => (schema['exclusiveMinimum'] === true ? undefined : ifNumber(given)),
  maximum: (given, { schema }) => (schema['exclusiveMaximum'] === true ? undefined : ifNumber(given)),
  // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
  exclusiveMinimum: (given, { schema }) => ifNumber(given === true ? schema['minimum'] : given),
  exclusiveMaximum: (given, { schema }) => ifNumber(given === true ? schema['maximum'] : given),
  multipleOf: ifNumber,
  minLength: ifNumber,
  maxLength: ifNumber,
  minItems: ifNumber,
  maxItems: ifNumber,
  minProperties: ifNumber,
  maxProperties: ifNumber,
  uniqueItems: (given) => (typeof given === 'boolean' ? given : undefined),
  examples: (given) => (Array.isArray(given) ? given : undefined),
  required: (given, { schema, walk }) => {
    const properties = schema['properties']
    if (!isRecord(properties)) return undefined
    const named = [...new Set(stringsOf(given))].filter(
      (name) => Object.hasOwn(properties, name) && isAllowedName(name, walk.dialect),
    )
    return named.length > 0 ? named : undefined
  },
  properties: (given, { walk, scope, depth }) =>
    isRecord(given)
      ? Object.fromEntries(
          Object.entries(given).flatMap(([name, value]) => {
            const cleaned = isAllowedName(name, walk.dialect) ? clean(value, walk, scope, depth) : undefined
            return cleaned ? [[name, cleaned] as const] : []
          }),
        )
      : undefined,
  additionalProperties: (given, { walk, scope, depth }) => {
    if (typeof given === 'boolean') return walk.dialect.isPlain ? undefined : given
    return isRecord(given) ? clean(given, walk, scope, depth) : undefined
  },
  items: (given, { walk, scope, depth }) => {
    // In older drafts, an array of schemas describes a tuple.
    if (!Array.isArray(given)) return clean(given, walk, scope, depth)
    const members = given.flatMap((member) => clean(member, walk, scope, depth) ?? [])
    return members.length > 1 ? { anyOf: members } : members[0]
  },
  anyOf: eachMember,
  oneOf: eachMember,
  allOf: eachMember,
  not: (given, { walk, scope, depth }) => clean(given, walk, scope, depth),
}

/** Writes `const` as `enum` and `oneOf` as `anyOf`, and mentions a pattern in the description. */
function inPlainWords(schema: JsonSchema): JsonSchema {
  const { const: constant, oneOf, pattern, ...rest } = schema
  const description = [
    rest['description'],
    typeof pattern === 'string' ? `Matches ${pattern}` : undefined,
  ].filter((text) => typeof text === 'string')
  return {
    ...rest,
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(oneOf) && { anyOf: [...listOf(rest['anyOf']), ...oneOf] }),
    ...(description.length > 0 && { description: description.join('. ') }),
  }
}

/** Adds what vendors require and schemas often omit. */
function complete(given: JsonSchema, source: JsonSchema, dialect: Dialect): JsonSchema {
  const cleaned = withUnnamed(given, source, dialect)
  const type = cleaned['type']
  if (type === 'array' && cleaned['items'] === undefined)
    return { ...cleaned, items: dialect.isPlain ? { type: 'string' } : {} }
  if (Array.isArray(type) && dialect.isPlain) return inAlternatives(cleaned, type)
  if (type === undefined && dialect.isPlain) return { ...implicitType(cleaned, source), ...cleaned }
  return cleaned
}

/** Mentions properties whose names a vendor rejects in the description, so that the model can still use them. */
function withUnnamed(cleaned: JsonSchema, source: JsonSchema, dialect: Dialect): JsonSchema {
  const properties = isRecord(source['properties']) ? Object.keys(source['properties']) : []
  const unnamed = properties
    .filter((name) => !isAllowedName(name, dialect))
    .map((name) => JSON.stringify(name))
  if (unnamed.length === 0) return cleaned
  const description = [cleaned['description'], `Also takes ${unnamed.join(', ')}`].filter(
    (text) => typeof text === 'string',
  )
  return { ...cleaned, description: description.join('. ') }
}

/** Vendors accept `["string", "null"]`. Other type lists become alternatives, each with its own keywords. */
function inAlternatives(schema: JsonSchema, of: readonly unknown[]): JsonSchema {
  const others = of.filter((type) => type !== 'null')
  if (others.length === 1 && others[0] !== 'array') return schema
  const { type: _, title, description, ...words } = schema
  const { items, ...rest } = words
  const anyOf = of.map((type) =>
    type === 'array'
      ? { type, items: items ?? { type: 'string' } }
      : type === 'null'
        ? { type }
        : { type, ...rest },
  )
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }), anyOf }
}

function implicitType(cleaned: JsonSchema, source: JsonSchema): { type?: string } {
  if (cleaned['anyOf'] !== undefined) return {}
  if (isRecord(source['properties'])) return { type: 'object' }
  if (source['items'] !== undefined) return { type: 'array' }
  const values = listOf(cleaned['enum'])
  if (values.length > 0)
    return { type: values.every((value) => typeof value === 'number') ? 'number' : 'string' }
  return {}
}

function isPlainChoice(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function isAllowedName(name: string, { propertyNames }: Dialect): boolean {
  return propertyNames?.test(name) ?? true
}

/** Vendors' pattern engines lack look-around, and all of them reject an invalid pattern. */
function isPortablePattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode && !/\(\?<?[=!]/.test(pattern)
  } catch {
    return false
  }
}
