import { remember } from '../schema/remember.ts'

/** The part of JSON Schema that the offline model reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema | boolean
  readonly properties?: Readonly<Record<string, Schema | boolean>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly (Schema | boolean)[]
  readonly oneOf?: readonly (Schema | boolean)[]
}

export type Properties = Readonly<Record<string, Schema>>

export function propertiesOf(schema: Schema): Properties {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, typeof property === 'object' ? property : {}]),
  )
}

const valueTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const
export type ValueType = (typeof valueTypes)[number]

function isValueType(type: string): type is ValueType {
  return (valueTypes as readonly string[]).includes(type)
}

/** The type to read a value as. Of several types, the first one that is not null. */
export const typeOf = remember(findType)

function findType(schema: Schema): ValueType {
  const declared = [schema.type ?? []].flat().find(isValueType)
  if (declared) return declared
  const member = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find((member) => typeof member === 'object' && member.type !== 'null')
  if (typeof member === 'object') return typeOf(member)
  return schema.properties ? 'object' : schema.items ? 'array' : 'string'
}

export function itemTypeOf(schema: Schema): ValueType {
  return typeof schema.items === 'object' ? typeOf(schema.items) : 'string'
}

/** The allowed values, also within `anyOf` and `oneOf`. */
export const choicesOf = remember(findChoices)

function findChoices(schema: Schema): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((member) => (typeof member === 'object' ? choicesOf(member) : []))
}
