import { isRecord } from '../../base/is-record.ts'
import { choicesOf, itemTypeOf, typeOf, type Schema } from './schema-shape.ts'

/** Converts text to the type that a schema requires. Undefined if that is impossible. */
export function coerce(text: string, schema: Schema): unknown {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  switch (typeOf(schema)) {
    case 'string':
      return text
    case 'integer':
    case 'number':
      return toNumber(text, schema)
    case 'boolean':
      return toBoolean(text)
    case 'array':
      return toArray(text, schema)
    case 'object':
      return parseAs(text, isRecord)
  }
}

function toNumber(text: string, schema: Schema): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text.replaceAll(/(?<=\d)[_ ](?=\d)/g, ''))
  if (!Number.isFinite(value) || (typeOf(schema) === 'integer' && !Number.isInteger(value))) return undefined
  if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)) return undefined
  return value
}

function toBoolean(text: string): boolean | undefined {
  if (/^(?:true|yes|on|y)$/i.test(text)) return true
  if (/^(?:false|no|off|n)$/i.test(text)) return false
  return undefined
}

function toArray(text: string, schema: Schema): unknown[] | undefined {
  const parsed = parseAs(text, Array.isArray)
  if (Array.isArray(parsed)) return parsed
  const items = text
    .split(/\s*,\s*|\s+and\s+/)
    .map((item) => item.replace(/^(["'`])(.*)\1$/, '$2').trim())
    .filter((item) => item !== '')
  const values = items.map((item) => coerce(item, { type: itemTypeOf(schema) }))
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined
}

function parseAs(text: string, isWanted: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isWanted(value) ? value : undefined
  } catch {
    return undefined
  }
}
