import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { parseJsonOr } from '../../base/json.ts'

export interface OfflineTool {
  readonly name: string
  readonly description: string
  readonly schema: Schema
}

/** The part of JSON Schema that the offline model reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly items?: unknown
  readonly properties?: Readonly<Record<string, Schema | boolean>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly (Schema | boolean)[]
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
export function typeOf({ type, anyOf = [], properties, items }: Schema): string {
  const types = [type ?? [], ...anyOf.map((each) => toSchema(each).type ?? [])].flat()
  return types.find((each) => each !== 'null') ?? (properties ? 'object' : items ? 'array' : 'string')
}

/** Converts text to the type that a schema requires. Undefined if that is impossible. The tool checks the rest. */
export function coerce(text: string, schema: Schema): unknown {
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
    case 'boolean':
      return /^(?:true|yes|on)$/i.test(text) ? true : /^(?:false|no|off)$/i.test(text) ? false : undefined
    case 'array':
    case 'object':
      return parseJsonOr(text, undefined)
    default:
      return text
  }
}
