import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isRecord } from '../../base/is-record.ts'
import { parseJsonOr } from '../../base/json.ts'

export interface OfflineTool {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

/** The part of JSON Schema that the offline model reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema | boolean
  readonly properties?: Readonly<Record<string, Schema | boolean>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly (Schema | boolean)[]
  readonly oneOf?: readonly (Schema | boolean)[]
}

/** Offered tools have passed `formatToolsForProvider`, so their schemas contain only known keywords. */
export function toOfflineTool({ name, description, inputSchema }: LanguageModelV4FunctionTool): OfflineTool {
  return { name, description: description ?? '', schema: inputSchema as Schema }
}

export function propertyOf({ properties = {} }: Schema, name: string): Schema {
  return toSchema(Object.hasOwn(properties, name) ? properties[name] : undefined)
}

function toSchema(schema: Schema | boolean | undefined): Schema {
  return typeof schema === 'object' ? schema : {}
}

/** The type to read a value as. Of several types, the first one that is not null. */
export function typeOf(schema: Schema): string {
  const types = alternativesOf(schema).flatMap(({ type = [] }) => type)
  return (
    types.find((type) => type !== 'null') ??
    (schema.properties ? 'object' : schema.items ? 'array' : 'string')
  )
}

/** The allowed values. Empty if any value is allowed. */
export function choicesOf(schema: Schema): readonly unknown[] {
  return alternativesOf(schema).flatMap((each) =>
    each.const === undefined ? (each.enum ?? []) : [each.const],
  )
}

function alternativesOf(schema: Schema): readonly Schema[] {
  return [schema, ...(schema.anyOf ?? []).map(toSchema), ...(schema.oneOf ?? []).map(toSchema)]
}

/** Converts text to the type that a schema requires. Undefined if that is impossible. */
export function coerce(text: string, schema: Schema): unknown {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return toNumber(text, schema)
    case 'boolean':
      return /^(?:true|yes|on)$/i.test(text) ? true : /^(?:false|no|off)$/i.test(text) ? false : undefined
    case 'array':
      return toArray(text, schema)
    case 'object': {
      const value = parseJsonOr(text, undefined)
      return isRecord(value) ? value : undefined
    }
    default:
      return text
  }
}

function toNumber(text: string, schema: Schema): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const { minimum = -Infinity, maximum = Infinity } = schema
  if (!Number.isFinite(value) || value < minimum || value > maximum) return undefined
  return typeOf(schema) === 'integer' && !Number.isInteger(value) ? undefined : value
}

function toArray(text: string, { items }: Schema): unknown[] | undefined {
  const parsed = parseJsonOr(text, undefined)
  if (Array.isArray(parsed)) return parsed
  const parts = text.split(/\s*,\s*|\s+and\s+/).filter((part) => part !== '')
  const values = parts.map((part) => coerce(part, toSchema(items)))
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined
}
