import { fileURLToPath } from 'node:url'
import { wordsOf, stem } from '../../tools/search-terms.ts'
import { choicesOf, coerce, propertyOf, typeOf, type OfflineTool, type Schema } from './offline-tool.ts'
import { isPathLike, isPattern, readCharsMax, readValues, type Value } from './read-values.ts'

export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>
  /** Required arguments that the text does not provide. */
  readonly missing: readonly string[]
  /** Number of values in the text that became no argument. */
  readonly unused: number
}

interface FillOptions {
  readonly wanted?: readonly string[]
  /** The meaning of `this folder`. */
  readonly workingDirectory?: string | undefined
  /** False if left-over words must not become a text argument. */
  readonly loose?: boolean
}

const thisPlace = /\b(?:this|(?:the )?current|(?:the )?working) (?:folder|directory)\b|\bhere\b/i

/** A name in words, as in `a folder called my horses`, is not a path. */
const namesIt = /\b(?:called|named)\s\p{L}/iu

/**
 * Reads a tool's arguments from a sentence: first `name=value`, then values for the required arguments in their
 * order. Left-over words are the last missing text, but never a path.
 */
export function fillArguments(tool: OfflineTool, said: string, options: FillOptions = {}): FilledArguments {
  const { wanted, workingDirectory, loose = true } = options
  const names = wanted ?? Object.keys(tool.schema.properties ?? {})
  const required = (tool.schema.required ?? []).filter((name) => wanted?.includes(name) ?? true)
  const schemaOf = (name: string) => propertyOf(tool.schema, name)
  const { pairs, left } = readPairs(said, names, schemaOf)
  const values = new Map(pairs)
  const { values: found, rest } = readValues(left)
  const words = new Set(wordsOf(rest))
  const open = () => required.filter((name) => !values.has(name))
  const set = (name: string, value: unknown) => void (value === undefined || values.set(name, value))
  const take = (fits: (value: Value) => boolean) => {
    const at = found.findIndex(fits)
    return at === -1 ? undefined : found.splice(at, 1)[0]
  }
  const kindOf = (name: string) => kindOfArgument(name, schemaOf(name))
  const takeText = (name: string) => {
    const isPath = kindOf(name) === 'path'
    const { text } =
      take(isPath ? isPathLike : ({ kind }) => kind === 'quoted') ??
      take((value) => !isPath || (value.kind === 'quoted' && !isPattern(value))) ??
      {}
    // Editors mention a file by its URL, but a tool that takes a path needs a path.
    return text?.startsWith('file://') && !/ur[il]/i.test(name) ? pathOf(text) : text
  }

  const [only, ...more] = wanted ?? []
  const whole = said.trim().replace(/^(["'`])([^"'`]*)\1$/, '$2')
  if (only !== undefined && more.length === 0 && pairs.size === 0 && whole !== '') {
    const kind = kindOf(only)
    if (kind === 'text' || (kind === 'path' && !/\s|^here$/i.test(whole)))
      return { values: { [only]: whole }, missing: [], unused: 0 }
  }
  const place = open().find((name) => kindOf(name) === 'path')
  if (place !== undefined && thisPlace.test(rest)) set(place, workingDirectory)
  for (const name of open()) {
    const schema = schemaOf(name)
    const fits = (text: string) => coerce(text, schema) !== undefined
    const kind = kindOf(name)
    if (kind === 'choice') set(name, choiceIn(words, schema))
    else if (kind === 'boolean') set(name, coerce([...words].find(fits) ?? '', schema))
    else if (kind === 'array') set(name, listIn(found, schema))
    else if (kind === 'number') set(name, coerce(take(({ text }) => fits(text))?.text ?? '', schema))
    else if (kind === 'path' && !namesIt.test(rest)) set(name, takeText(name))
  }
  for (const name of open()) if (kindOf(name) === 'text') set(name, takeText(name))
  const [last, ...others] = open()
  if (loose && last !== undefined && others.length === 0 && values.size === pairs.size) {
    const text = kindOf(last) === 'text' ? withoutOpening(rest, tool) + left.slice(readCharsMax) : ''
    set(last, text.replace(/[\s?!.,]*(?:\bplease)?[\s?!.,]*$/i, '') || undefined)
  }
  return { values: Object.fromEntries(values), missing: open(), unused: found.length }
}

/** A value is JSON, a quoted text or one word. After a colon, it extends to the next comma or line break. */
const pairPattern =
  /(?<![\p{L}\p{N}_/-])([\p{L}_][\p{L}\p{N}_-]*)\s*(?:=\s*(?:(\{[^\n]*\}|\[[^\n]*\])|"([^"]*)"|'([^']*)'|([^\s,;]+))|:\s+(?:"([^"]*)"|([^,;\n]+)))/gu

function readPairs(said: string, names: readonly string[], schemaOf: (name: string) => Schema) {
  const byWords = new Map(names.toReversed().map((name) => [wordsOf(name).join(''), name]))
  const pairs = new Map<string, unknown>()
  const replaced = said.slice(0, readCharsMax).replace(pairPattern, (whole: string, key: string, ...rest) => {
    const name = byWords.get(wordsOf(key).join(''))
    const text = (rest as (string | undefined)[]).slice(0, 6).find((group) => group !== undefined)
    const value = name === undefined || text === undefined ? undefined : coerce(text.trim(), schemaOf(name))
    if (name === undefined || value === undefined || pairs.has(name)) return whole
    pairs.set(name, value)
    return ' '
  })
  return { pairs, left: replaced + said.slice(readCharsMax) }
}

function choiceIn(words: ReadonlySet<string>, schema: Schema): unknown {
  return choicesOf(schema).find((choice) => {
    const parts = wordsOf(String(choice))
    return parts.length > 0 && parts.every((part) => words.has(part))
  })
}

function listIn(found: Value[], { items }: Schema): unknown[] | undefined {
  const item = typeof items === 'object' ? items : {}
  const isNumber = /number|integer/.test(typeOf(item))
  const fits = ({ kind, text }: Value) => (kind === 'number') === isNumber && coerce(text, item) !== undefined
  const given = found.filter(fits).map(({ text }) => coerce(text, item))
  found.splice(0, found.length, ...found.filter((value) => !fits(value)))
  return given.length > 0 ? given : undefined
}

const contentName = /content|text|data|body|message|pattern|type|encoding/i
const pathName = /path|file|dir|folder|source|destination|ur[il]|link|href|e?mail/i

/** How to find a value: `path` is a path or an address, `text` any other text. */
function kindOfArgument(name: string, schema: Schema): string {
  const type = typeOf(schema)
  if (choicesOf(schema).length > 0) return 'choice'
  if (type !== 'string') return type === 'integer' ? 'number' : type
  const isPath = pathName.test(name) || /path|file|ur[il]|mail/i.test(schema.format ?? '')
  return isPath && !contentName.test(name) ? 'path' : 'text'
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

/** Strips opening words: for `get_weather`, "what is the weather in Paris" is about "Paris". */
function withoutOpening(text: string, { name, description }: OfflineTool): string {
  const ofTool = new Set(wordsOf(`${name} ${description.slice(0, readCharsMax)}`).map(stem))
  const words = text.trim().split(/\s+/)
  const isOpening = (word: string) =>
    wordsOf(word).every((part) => openingWords.has(part) || ofTool.has(stem(part)))
  const start = words.findIndex((word) => !isOpening(word))
  return start === -1 ? '' : words.slice(start).join(' ')
}

const openingWords: ReadonlySet<string> = new Set(
  'a an the of to in on at by for with from into about is are was be what who which how when where this that i me my we us you your do does can could would will please want need find show look search get give tell make let know run use call'.split(
    ' ',
  ),
)
