import type { Vendor } from '../model.ts'

/** The part of JSON Schema that a vendor supports. */
export interface Dialect {
  /** All other keywords are dropped: some vendors reject unknown ones, and none reads them. */
  readonly keywords: ReadonlySet<string>
  /** True if `const`, `oneOf` and `allOf` must be expressed with `enum` and `anyOf`. */
  readonly isPlain: boolean
  /** Supported formats. Undefined means all. */
  readonly formats?: ReadonlySet<string>
  /** A property with another name fails the whole request. */
  readonly propertyNames?: RegExp
  readonly descriptionLengthMax: number
}

const everywhere = words(
  'type title description enum format minimum maximum items minItems maxItems properties required additionalProperties anyOf',
)
const validation = words(
  `default const oneOf allOf not pattern minLength maxLength multipleOf exclusiveMinimum exclusiveMaximum uniqueItems minProperties
   maxProperties examples`,
)

const full = new Set([...everywhere, ...validation])
const plain = new Set(everywhere)
/** Local servers compile a schema to a grammar. One `pattern` that they cannot translate fails the request. */
const forGrammars = new Set([...everywhere, 'default', 'minLength', 'maxLength'])

export const dialects: Readonly<Record<Vendor, Dialect>> = {
  anthropic: {
    keywords: full,
    isPlain: false,
    propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/,
    descriptionLengthMax: 8_000,
  },
  openai: { keywords: full, isPlain: false, descriptionLengthMax: 1_024 },
  google: {
    keywords: plain,
    isPlain: true,
    formats: new Set(['date-time', 'int32', 'int64', 'float', 'double']),
    descriptionLengthMax: 8_000,
  },
  'openai-compatible': { keywords: forGrammars, isPlain: true, descriptionLengthMax: 1_024 },
  offline: { keywords: full, isPlain: false, descriptionLengthMax: 8_000 },
}

function words(text: string): string[] {
  return text.split(/\s+/)
}
