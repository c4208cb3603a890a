/** One part of a form, made from a JSON Schema. What a form cannot say is `json`: written as it is. */
export type FormField = FieldAbout &
  (
    | { readonly kind: 'text'; readonly isLong: boolean }
    | { readonly kind: 'number'; readonly isInteger: boolean }
    | { readonly kind: 'boolean' }
    | { readonly kind: 'choice'; readonly choices: readonly unknown[] }
    | { readonly kind: 'list'; readonly item: FormField }
    | { readonly kind: 'object'; readonly fields: readonly FormField[] }
    | { readonly kind: 'json' }
  )

interface FieldAbout {
  /** Of the property; empty at the root and in lists. */
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly isRequired: boolean
  readonly default?: unknown
  /** What else has to hold, in words: `at least 1`, `format: date`. */
  readonly rules: readonly string[]
  /** `text`, `number or null`, `list of texts`. */
  readonly type: string
}

type Schema = Readonly<Record<string, unknown>>

const depthMax = 6
/** A schema that contains itself would be a form without end. */
const fieldsMax = 500
const longLength = 200

/** The form for a tool's arguments. */
export function toField(schema: Schema): FormField {
  return build(schema, { name: '', isRequired: true, root: schema, depth: 0, budget: { fieldsLeft: fieldsMax } })
}

interface Place {
  readonly name: string
  readonly isRequired: boolean
  readonly root: Schema
  readonly depth: number
  /** Of the whole form. */
  readonly budget: { fieldsLeft: number }
}

function build(given: unknown, place: Place): FormField {
  const schema = simplify(given, place.root)
  const about = {
    name: place.name,
    title: textOf(schema['title']) ?? place.name,
    ...optional('description', textOf(schema['description'])),
    isRequired: place.isRequired,
    ...('default' in schema ? { default: schema['default'] } : {}),
    rules: rulesOf(schema),
  }
  const { enum: choices, type, format, maxLength } = schema
  if ('const' in schema) return { ...about, kind: 'choice', choices: [schema['const']], type: 'one value' }
  if (Array.isArray(choices) && choices.length > 0) return { ...about, kind: 'choice', choices, type: 'one of a few' }
  if (place.depth >= depthMax || place.budget.fieldsLeft-- <= 0) return { ...about, kind: 'json', type: 'JSON' }
  const inside = { root: place.root, depth: place.depth + 1, budget: place.budget }
  switch (type) {
    case 'string':
      return {
        ...about,
        kind: 'text',
        type: 'text',
        isLong: (typeof maxLength === 'number' && maxLength > longLength) || format === 'textarea',
      }
    case 'number':
    case 'integer':
      return { ...about, kind: 'number', type: type === 'integer' ? 'whole number' : 'number', isInteger: type === 'integer' }
    case 'boolean':
      return { ...about, kind: 'boolean', type: 'yes or no' }
    case 'array': {
      if (!isSchema(schema['items'])) return { ...about, kind: 'json', type: 'list' }
      const item = build(schema['items'], { ...inside, name: '', isRequired: true })
      return { ...about, kind: 'list', item, type: `list of ${item.type}` }
    }
    case 'object': {
      const properties = isSchema(schema['properties']) ? schema['properties'] : {}
      const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
      // An object that may have anything in it is only to be written.
      if (Object.keys(properties).length === 0 && place.depth > 0) return { ...about, kind: 'json', type: 'object' }
      const fields = Object.entries(properties).map(([name, property]) =>
        build(property, { ...inside, name, isRequired: required.has(name) }),
      )
      return { ...about, kind: 'object', fields, type: 'object' }
    }
    default:
      return { ...about, kind: 'json', type: Array.isArray(type) ? type.join(' or ') : 'JSON' }
  }
}

/** References of the schema itself followed, `null` as an alternative left out, an `allOf` of one taken for it. */
function simplify(given: unknown, root: Schema, hops = 0): Schema {
  if (!isSchema(given)) return {}
  if (hops > depthMax) return {}
  const { $ref, allOf, anyOf, oneOf, ...own } = given
  const more = (inner: unknown) => simplify({ ...(isSchema(inner) ? inner : {}), ...own }, root, hops + 1)
  if (typeof $ref === 'string') return more(resolve($ref, root))
  if (Array.isArray(allOf) && allOf.length === 1) return more(allOf[0])
  const alternatives = [anyOf, oneOf].find(Array.isArray)?.filter((schema) => !isSchema(schema) || schema['type'] !== 'null')
  if (alternatives?.length === 1) return more(alternatives[0])
  if (alternatives !== undefined) {
    // Alternatives that are one value each are a choice with names.
    const values = alternatives.map((schema) => (isSchema(schema) && 'const' in schema ? [schema['const']] : []))
    return values.every((value) => value.length === 1) ? { ...own, enum: values.flat() } : { ...own, type: 'one of several' }
  }
  if (Array.isArray(allOf)) return { ...own, type: 'all of several' }
  const { type } = own
  if (!Array.isArray(type)) return type === undefined && isSchema(own['properties']) ? { ...own, type: 'object' } : own
  const types = type.filter((name) => name !== 'null')
  return types.length === 1 ? { ...own, type: types[0] } : own
}

/** Only within the schema: `#/$defs/Address`. */
function resolve(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return {}
  const steps = reference.slice(1).split('/').slice(1)
  return steps.reduce<unknown>((at, step) => (isSchema(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined), root)
}

const ruleWords: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['pattern', 'matches'],
  ['format', 'format:'],
]

function rulesOf(schema: Schema): string[] {
  return ruleWords.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    return typeof value === 'number' || typeof value === 'string' ? [`${words} ${value}`] : []
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
