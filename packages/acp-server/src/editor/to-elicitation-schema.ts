import type { ElicitationSchema } from '@agentclientprotocol/sdk'
import type { JsonSchema } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/**
 * Converts a JSON Schema to an ACP form, which is flat: strings, numbers, booleans and choices. Undefined for a schema that needs more.
 * Unsupported constraints are dropped, because the server checks the answer.
 */
export function toElicitationSchema(schema: JsonSchema): ElicitationSchema | undefined {
  if ((schema['type'] ?? 'object') !== 'object') return undefined
  const properties = schema['properties'] ?? {}
  if (!isRecord(properties)) return undefined
  const fields: Record<string, Record<string, unknown>> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = isRecord(property) ? toField(property) : undefined
    if (field === undefined) return undefined
    Object.defineProperty(fields, name, { value: field, enumerable: true })
  }
  const required = schema['required']
  return {
    type: 'object',
    ...pick(schema, { title: isString, description: isString }),
    // The SDK's type is a union of field types; the checks above guarantee it.
    properties: fields as ElicitationSchema['properties'],
    ...(isStrings(required) ? { required: required.filter((name) => Object.hasOwn(fields, name)) } : {}),
  }
}

function toField(property: Record<string, unknown>): Record<string, unknown> | undefined {
  const texts = pick(property, { title: isString, description: isString })
  switch (property['type'] ?? (isStrings(property['enum']) ? 'string' : undefined)) {
    case 'string': {
      const choices = isOptions(property['oneOf']) ? { oneOf: property['oneOf'] } : withNames(property)
      return {
        type: 'string',
        ...texts,
        ...pick(property, { minLength: isCount, maxLength: isCount, pattern: isString, default: isString }),
        ...(formats.has(property['format']) ? { format: property['format'] } : {}),
        ...choices,
      }
    }
    case 'number':
      return {
        type: 'number',
        ...texts,
        ...pick(property, { minimum: isNumber, maximum: isNumber, default: isNumber }),
      }
    case 'integer':
      return {
        type: 'integer',
        ...texts,
        ...pick(property, { minimum: isInteger, maximum: isInteger, default: isInteger }),
      }
    case 'boolean':
      return { type: 'boolean', ...texts, ...pick(property, { default: isBoolean }) }
    case 'array': {
      const items = isRecord(property['items']) ? toItems(property['items']) : undefined
      if (items === undefined) return undefined
      return {
        type: 'array',
        ...texts,
        ...pick(property, { minItems: isCount, maxItems: isCount, default: isStrings }),
        items,
      }
    }
    default:
      return undefined
  }
}

/** Supports MCP's older way to name choices: `enumNames` beside `enum`. */
function withNames(property: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, enumNames: names } = property
  if (!isStrings(values)) return {}
  if (!isStrings(names) || names.length !== values.length) return { enum: values }
  return { oneOf: values.map((value, index) => ({ const: value, title: names[index] ?? value })) }
}

function toItems(items: Record<string, unknown>): Record<string, unknown> | undefined {
  if (isStrings(items['enum'])) return { type: 'string', enum: items['enum'] }
  const options = items['anyOf'] ?? items['oneOf']
  return isOptions(options) ? { anyOf: options } : undefined
}

function pick(
  from: Record<string, unknown>,
  checks: Record<string, (value: unknown) => boolean>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(checks).flatMap(([key, check]) => (check(from[key]) ? [[key, from[key]]] : [])),
  )
}

const isString = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isCount = (value: unknown): value is number => isInteger(value) && value >= 0
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString)
const isOptions = (value: unknown): value is { const: string; title: string }[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((option) => isRecord(option) && isString(option['const']) && isString(option['title']))
