import { isRecord } from '../../base/is-record.ts'
import { coerce } from './coerce.ts'
import type { OfflineTool } from './offline-tool.ts'
import { propertiesOf, typeOf, type Schema } from './schema-shape.ts'
import { defined } from '../../base/defined.ts'

/** Creates a form for missing arguments. Editors support flat forms only, so lists and objects are entered as text. */
export function formFor(tool: OfflineTool, missing: readonly string[]): { message: string; schema: unknown } {
  const properties = propertiesOf(tool.schema)
  const fields = missing.map((name) => [name, toField(properties[name] ?? {})] as const)
  return {
    message: `To run ${tool.name}, I need ${missing.join(', ')}.`,
    schema: { type: 'object', properties: Object.fromEntries(fields), required: [...missing] },
  }
}

function toField(schema: Schema): Record<string, unknown> {
  const type = typeOf(schema)
  const words = [schema.description, type === 'array' ? 'separated by commas' : type === 'object' ? 'as JSON' : undefined].filter(
    (text) => text !== undefined,
  )
  return {
    type: type === 'array' || type === 'object' ? 'string' : type,
    ...(schema.title !== undefined && { title: schema.title }),
    ...(words.length > 0 && { description: words.join('; ') }),
    ...(schema.enum?.every((value) => typeof value === 'string') && { enum: schema.enum }),
    ...(type === 'string' && isFormFormat(schema.format) && { format: schema.format }),
    ...defined({ minimum: schema.minimum, maximum: schema.maximum }),
  }
}

function isFormFormat(format: string | undefined): boolean {
  return format !== undefined && ['email', 'uri', 'date', 'date-time'].includes(format)
}

/** Reads the values of a submitted form. Undefined if there are none, because the person declined or closed it. */
export function readForm(text: string, schema: Schema): Record<string, unknown> | undefined {
  const properties = propertiesOf(schema)
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return undefined
    const entries = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
    if (entries.length === 0) return undefined
    return Object.fromEntries(
      entries.map(([name, given]) => [name, typeof given === 'string' ? (coerce(given, properties[name] ?? {}) ?? given) : given]),
    )
  } catch {
    return undefined
  }
}
