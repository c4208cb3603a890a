interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly items?: unknown
}

/** A value that fits a simple schema: the default, or the smallest one. */
export function sampleOf(schema: unknown): unknown {
  const {
    type,
    properties = {},
    required = [],
    default: given,
    const: fixed,
    enum: choices,
    minimum,
  } = (schema ?? {}) as Schema
  const known = given ?? fixed ?? choices?.[0]
  if (known !== undefined) return known
  switch (typeof type === 'string' ? type : type?.[0]) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return []
    default:
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]))
  }
}
