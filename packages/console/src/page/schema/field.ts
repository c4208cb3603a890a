import { counted, isRecord } from '@ostler/agent-api/browser'
import { jsonText } from '../text/visible.ts'

/** A form field, made from a JSON Schema. A schema that no field can represent becomes `json`, edited as text. */
export type FormField = FieldAbout &
  (
    | { readonly kind: 'text'; readonly isLong: boolean }
    | { readonly kind: 'number'; readonly isInteger: boolean }
    | { readonly kind: 'boolean' }
    | {
        readonly kind: 'choice'
        readonly choices: readonly unknown[]
        readonly labels?: readonly (string | undefined)[]
      }
    | { readonly kind: 'list'; readonly item: FormField }
    | { readonly kind: 'object'; readonly fields: readonly FormField[] }
    | { readonly kind: 'variants'; readonly options: readonly FormField[] }
    | { readonly kind: 'json' }
  )

interface FieldAbout {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly isRequired: boolean
  readonly default?: unknown
  /** Other constraints in words: `1 or more`, `format: date`. */
  readonly rules: readonly string[]
  readonly limits: FieldLimits
  /** `string`, `array of string`, `"bug" | "feature"`. */
  readonly type: string
}

/** The constraints that a form checks, under their JSON Schema keywords, with the types of their values. */
const limitTypes = {
  minimum: 'number',
  exclusiveMinimum: 'number',
  maximum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  minItems: 'number',
  maxItems: 'number',
  uniqueItems: 'boolean',
  pattern: 'string',
  format: 'string',
} as const
interface Types {
  readonly number: number
  readonly boolean: boolean
  readonly string: string
}
export type FieldLimits = { readonly [K in keyof typeof limitTypes]?: Types[(typeof limitTypes)[K]] }

type Schema = Readonly<Record<string, unknown>>

const variantsMax = 12
const depthMax = 6
/** A recursive schema would make an endless form. */
const fieldsMax = 500
const longLength = 200

export function toField(schema: Schema): FormField {
  return build(schema, {
    name: '',
    isRequired: true,
    root: schema,
    depth: 0,
    budget: { fieldsLeft: fieldsMax },
  })
}

interface Place {
  readonly name: string
  readonly isRequired: boolean
  readonly root: Schema
  readonly depth: number
  /** Shared by the whole form. */
  readonly budget: { fieldsLeft: number }
}

function build(given: unknown, place: Place): FormField {
  const schema = simplify(given, place.root)
  const about = {
    name: place.name,
    title: textOf(schema['title']) ?? place.name,
    description: textOf(schema['description']),
    isRequired: place.isRequired,
    default: schema['default'],
    rules: rulesOf(schema),
    limits: limitsOf(schema),
  }
  const { enum: choices, enumNames: labels, type, format, maxLength, variants } = schema
  if ('const' in schema)
    return { ...about, kind: 'choice', choices: [schema['const']], type: choicesType([schema['const']]) }
  if (Array.isArray(choices) && choices.length > 0)
    return {
      ...about,
      kind: 'choice',
      choices,
      labels: Array.isArray(labels) ? labels.map(textOf) : undefined,
      type: choicesType(choices),
    }
  if (place.depth >= depthMax || place.budget.fieldsLeft-- <= 0)
    return { ...about, kind: 'json', type: 'JSON' }
  const inside = { root: place.root, depth: place.depth + 1, budget: place.budget }
  if (Array.isArray(variants)) {
    const options = variants.map((variant, index) => {
      const option = build(variant, { ...inside, name: '', isRequired: true })
      return { ...option, title: option.title === '' ? `${index + 1}: ${option.type}` : option.title }
    })
    return { ...about, kind: 'variants', options, type: options.map((option) => option.type).join(' or ') }
  }
  switch (type) {
    case 'string':
      return {
        ...about,
        kind: 'text',
        type: 'string',
        isLong: (typeof maxLength === 'number' && maxLength > longLength) || format === 'textarea',
      }
    case 'number':
    case 'integer':
      return { ...about, kind: 'number', type, isInteger: type === 'integer' }
    case 'boolean':
      return { ...about, kind: 'boolean', type }
    case 'array': {
      if (!isRecord(schema['items'])) return { ...about, kind: 'json', type: 'array' }
      const item = build(schema['items'], { ...inside, name: '', isRequired: true })
      return { ...about, kind: 'list', item, type: `array of ${item.type}` }
    }
    case 'object': {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {}
      const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
      // An object without known properties can only be edited as JSON.
      if (Object.keys(properties).length === 0 && place.depth > 0)
        return { ...about, kind: 'json', type: 'object' }
      const fields = Object.entries(properties).map(([name, property]) =>
        build(property, { ...inside, name, isRequired: required.has(name) }),
      )
      return { ...about, kind: 'object', fields, type: 'object' }
    }
    default:
      return { ...about, kind: 'json', type: typesOf(type).join(' or ') || 'JSON' }
  }
}

/** Follows references within the schema, drops `null` alternatives, and replaces an `allOf` of one schema by that schema. */
function simplify(given: unknown, root: Schema, hops = 0): Schema {
  if (!isRecord(given)) return {}
  if (hops > depthMax) return {}
  const { $ref, allOf, anyOf, oneOf, ...own } = given
  const more = (inner: unknown) => simplify({ ...(isRecord(inner) ? inner : {}), ...own }, root, hops + 1)
  if (typeof $ref === 'string') return more(resolve($ref, root))
  if (Array.isArray(allOf) && allOf.length === 1) return more(allOf[0])
  const alternatives = [anyOf, oneOf]
    .find(Array.isArray)
    ?.filter((schema) => !isRecord(schema) || schema['type'] !== 'null')
  if (alternatives?.length === 1) return more(alternatives[0])
  if (alternatives !== undefined) {
    // Alternatives of one value each are a choice.
    const values = alternatives.map((schema) =>
      isRecord(schema) && 'const' in schema ? [schema['const']] : [],
    )
    if (values.every((value) => value.length === 1)) {
      const labels = alternatives.map((schema) => (isRecord(schema) ? schema['title'] : undefined))
      return {
        ...own,
        enum: values.flat(),
        ...(labels.some((label) => textOf(label) !== undefined) && { enumNames: labels }),
      }
    }
    const canChoose = alternatives.length > 0 && alternatives.length <= variantsMax
    return canChoose ? { ...own, variants: alternatives } : { ...own, type: 'one of several' }
  }
  if (Array.isArray(allOf)) return { ...own, type: 'all of several' }
  const { type } = own
  if (!Array.isArray(type))
    return type === undefined && isRecord(own['properties']) ? { ...own, type: 'object' } : own
  const types = type.filter((name) => name !== 'null')
  return types.length === 1 ? { ...own, type: types[0] } : own
}

/** Resolves references within the schema only, such as `#/$defs/Address`. */
function resolve(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return {}
  const steps = reference.slice(1).split('/').slice(1)
  return steps.reduce<unknown>(
    (at, step) => (isRecord(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
}

const ruleWords = [
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['pattern', 'matches'],
  ['format', 'format:'],
] as const

function rulesOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, ...limits } = limitsOf(schema)
  const others = ruleWords.flatMap(([keyword, words]) =>
    limits[keyword] === undefined ? [] : [`${words} ${limits[keyword]}`],
  )
  return [
    ...rangeOf(minimum, maximum),
    ...rangeOf(minLength, maxLength, 'character'),
    ...rangeOf(minItems, maxItems, 'item'),
    ...others,
  ]
}

/** `1 to 5 items`, `1 or more`. */
function rangeOf(min: number | undefined, max: number | undefined, unit?: string): string[] {
  const withUnit = (value: number) => (unit === undefined ? String(value) : counted(value, unit))
  if (max === undefined)
    return min === undefined ? [] : [`${min} or more${unit === undefined ? '' : ` ${unit}s`}`]
  return [
    min === undefined
      ? `at most ${withUnit(max)}`
      : min === max
        ? withUnit(max)
        : `${min} to ${withUnit(max)}`,
  ]
}

function limitsOf(schema: Schema): FieldLimits {
  return Object.fromEntries(
    Object.entries(limitTypes).flatMap(([name, type]) =>
      typeof schema[name] === type ? [[name, schema[name]]] : [],
    ),
  )
}

function choicesType(choices: readonly unknown[]): string {
  return choices.map((choice) => jsonText(choice)).join(' | ')
}

/** A server may list anything as types, such as objects that cannot become text. */
function typesOf(type: unknown): readonly string[] {
  return Array.isArray(type) ? type.filter((name) => typeof name === 'string') : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
