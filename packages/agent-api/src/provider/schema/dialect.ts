import type { Vendor } from '../model.ts'

/** What one vendor makes of JSON Schema. */
export interface Dialect {
  /** Others are left out: an unknown word is refused by some, and read by none. */
  readonly keywords: ReadonlySet<string>
  /** Says with `enum` and `anyOf` what a richer schema says with `const`, `oneOf` and `allOf`. */
  readonly isPlain: boolean
  /** The formats that are understood; all when unset. */
  readonly formats?: ReadonlySet<string>
  /** Names of properties that do not match make the whole request fail. */
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
/** Local servers turn a schema into a grammar; one `pattern` they cannot translate fails the request. */
const forGrammars = new Set([...everywhere, 'default', 'minLength', 'maxLength'])

export const dialects: Readonly<Record<Vendor, Dialect>> = {
  anthropic: { keywords: full, isPlain: false, propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/, descriptionLengthMax: 8_000 },
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
