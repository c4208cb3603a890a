import type { JsonSchema, ToolArguments } from '@ostler/agent-api'
import { isRecord } from '@ostler/agent-api/internal'

/** Invalid arguments: neither a JSON object nor KEY=VALUE. */
export class ArgumentsError extends Error {}

export function parseJsonArguments(text: string): ToolArguments {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ArgumentsError('the arguments are not valid JSON')
  }
  if (!isRecord(value)) throw new ArgumentsError('the arguments are not a JSON object')
  return value
}

/** `count=3` is a number if the tool expects one, otherwise text. `count:=3` is JSON. A repeated key is a list. */
export function parsePairs(pairs: readonly string[], schema: JsonSchema): ToolArguments {
  const args = new Map<string, unknown>()
  for (const pair of pairs) {
    const { key, sign, text } = requirePair(pair)
    const { type, items } = propertyOf(schema, key)
    const isList = type === 'array' && !text.trimStart().startsWith('[')
    const value = sign === ':=' ? parseJson(key, text) : toValue(key, text, isList ? items : type)
    if (isList && sign === '=') args.set(key, [...((args.get(key) as unknown[] | undefined) ?? []), value])
    else if (args.has(key)) throw new ArgumentsError(`'${key}' is given twice`)
    else args.set(key, value)
  }
  return Object.fromEntries(args)
}

/** Checks a pair before the server is asked for the schema. */
export function requirePair(pair: string): {
  readonly key: string
  readonly sign: string
  readonly text: string
} {
  const [, key, sign = '', text = ''] = /^([^=]+?)(:?=)([^]*)$/.exec(pair) ?? []
  if (key === undefined) throw new ArgumentsError(`'${pair}' must have the form KEY=VALUE`)
  return { key, sign, text }
}

interface Property {
  readonly type: string | undefined
  readonly items: string | undefined
}

function propertyOf({ properties }: JsonSchema, key: string): Property {
  const property: unknown =
    isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (!isRecord(property)) return { type: undefined, items: undefined }
  return {
    type: typeOf(property),
    items: isRecord(property['items']) ? typeOf(property['items']) : undefined,
  }
}

/** The first type other than null. Undefined if text is allowed, which is then used. */
function typeOf({ type }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof type === 'string') return type
  if (!Array.isArray(type) || type.includes('string')) return undefined
  return type.find((one): one is string => typeof one === 'string' && one !== 'null')
}

/** The types that are not text. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['number', 'a number'],
  ['integer', 'an integer'],
  ['boolean', 'true or false'],
  ['object', 'a JSON object'],
  ['array', 'a JSON list'],
  ['null', 'null'],
])

function toValue(key: string, text: string, type = ''): unknown {
  const wanted = typeNames.get(type)
  return wanted === undefined ? text : parseJson(key, text, wanted)
}

const shownCharsMax = 80

function parseJson(key: string, text: string, wanted = 'valid JSON'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const shown = text.length > shownCharsMax ? `${text.slice(0, shownCharsMax - 1)}…` : text
    throw new ArgumentsError(`'${key}' must be ${wanted}, not ${JSON.stringify(shown)}`)
  }
}
