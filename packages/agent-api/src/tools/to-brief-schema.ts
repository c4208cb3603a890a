import { isRecord } from '../base/is-record.ts'
import type { JsonSchema } from '../messages/tool.ts'

/** Keywords that a model needs no telling of: a call that breaks one is refused with a sentence that says so. */
const bounds: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'additionalProperties',
])

const known = new WeakMap<JsonSchema, JsonSchema>()

/**
 * A schema of Ostler itself without its bounds, because every request carries all schemas. Arguments are checked against the whole schema.
 * The same schema always gives the same object, by which later steps cache.
 */
export function toBriefSchema(schema: JsonSchema): JsonSchema {
  const brief = known.get(schema) ?? withoutBounds(schema)
  known.set(schema, brief)
  return brief
}

function withoutBounds(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !bounds.has(keyword))
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (keyword === 'properties' && isRecord(value)) return [keyword, eachProperty(value)]
      return [keyword, keyword === 'items' && isRecord(value) ? withoutBounds(value) : value]
    }),
  )
}

function eachProperty(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, isRecord(value) ? withoutBounds(value) : value]))
}
