import { isRecord } from '../base/is-record.ts'
import type { JsonSchema } from '../messages/tool.ts'

/** Keywords that a model does not need to know: a call that violates one is rejected with an explanation. */
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
 * A schema of one of Ostler's own tools, without its bounds, because every request contains all schemas. Arguments are checked against the
 * whole schema. The same schema always gives the same object, so that later steps can cache by it.
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
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, isRecord(value) ? withoutBounds(value) : value]),
  )
}
