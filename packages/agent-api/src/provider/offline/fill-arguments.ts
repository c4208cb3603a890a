import { fileURLToPath } from 'node:url'
import { wordsOf } from '../../tools/tool-search.ts'
import { coerce } from './coerce.ts'
import type { OfflineTool } from './offline-tool.ts'
import { choicesOf, itemTypeOf, propertiesOf, typeOf, type Schema } from './schema-shape.ts'
import { stem } from './stem.ts'
import { takeTokens, type Token, type TokenKind, type Tokens } from './tokens.ts'

export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>
  /** Required, and not to be read from the text. */
  readonly missing: readonly string[]
}

/**
 * The arguments that can be read from a sentence: `name=value` first, then what a value's own look gives away (a number, a path, a quoted
 * text), in the order of the schema, and at last the words that are left, if one text is all that is missing. `wanted` narrows it to the
 * arguments that were asked for.
 */
export function fillArguments(tool: OfflineTool, said: string, wanted?: readonly string[]): FilledArguments {
  const properties = Object.entries(propertiesOf(tool.schema)).filter(([name]) => wanted?.includes(name) ?? true)
  const required = (tool.schema.required ?? []).filter((name) => wanted?.includes(name) ?? true)
  const isRequired = ([name]: (typeof properties)[number]) => required.includes(name)
  // What a tool must have comes first in the queue for values.
  const ordered = [...properties.filter(isRequired), ...properties.filter((property) => !isRequired(property))]

  const tokens = takeTokens(said, Object.fromEntries(properties))
  const whole = asked(properties, said)
  if (wanted?.length === 1 && whole !== undefined && Object.keys(tokens.pairs).length === 0) return { values: whole, missing: [] }
  const values = new Map<string, unknown>(Object.entries(tokens.pairs))
  const open = () => ordered.filter(([name]) => !values.has(name))
  const set = (name: string, value: unknown) => void (value === undefined || values.set(name, value))

  for (const [name, schema] of open()) set(name, byChoice(name, schema, tokens, required.includes(name)))
  for (const [name, schema] of open()) set(name, byKind(name, schema, tokens, required.includes(name)))
  const lacking = () => open().filter(isRequired)
  for (const [name, schema] of lacking()) set(name, schema.default ?? schema.const)
  // Nothing else says it is a text: a path or a number will do before the words that are left.
  for (const [name, schema] of lacking())
    if (typeOf(schema) === 'string' && choicesOf(schema).length === 0) set(name, tokens.takeAny()?.text)
  const [last, ...others] = lacking()
  const words = last && others.length === 0 ? withoutOpening(tokens.rest(), tool) : ''
  if (last && words !== '') set(last[0], coerce(words, last[1]))
  return { values: Object.fromEntries(values), missing: required.filter((name) => !values.has(name)) }
}

/** The answer to one question for a text is the text, all of it. */
function asked(properties: readonly (readonly [string, Schema])[], said: string): Record<string, unknown> | undefined {
  const [name, schema] = properties[0] ?? ['', {}]
  if (typeOf(schema) !== 'string' || choicesOf(schema).length > 0 || schema.format !== undefined || said.trim() === '') return undefined
  return { [name]: said.trim().replace(/^(["'`])([^"'`]*)\1$/, '$2') }
}

/** A word of the enum that is in the text; a boolean that is mentioned by its name. */
function byChoice(name: string, schema: Schema, tokens: Tokens, isRequired: boolean): unknown {
  const choices = choicesOf(schema)
  if (choices.length > 0 && typeOf(schema) !== 'array') return choices.find((choice) => tokens.takeWord(String(choice)))
  if (typeOf(schema) !== 'boolean') return undefined
  const words = wordsOf(name).join('[\\s_-]*')
  if (tokens.has(new RegExp(`\\b(?:no|not|without)\\s+${words}\\b`, 'i'))) return false
  if (tokens.has(new RegExp(`\\b${words}\\b`, 'i'))) return true
  return isRequired ? coerce(['true', 'false', 'yes', 'no'].find((word) => tokens.takeWord(word)) ?? '', schema) : undefined
}

function byKind(name: string, schema: Schema, tokens: Tokens, isRequired: boolean): unknown {
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return tokens.take(
        'number',
        ({ text }) => coerce(text, schema) !== undefined,
        (token) => coerce(token.text, schema),
      )
    case 'array':
      return arrayOf(schema, tokens)
    case 'string': {
      if (choicesOf(schema).length > 0) return undefined
      for (const kind of kindsFor(name, schema, isRequired)) {
        const value = tokens.take(
          kind,
          () => true,
          (token) => textOf(token, kind, name),
        )
        if (value !== undefined) return value
      }
      return undefined
    }
    case 'boolean':
    case 'object':
      return undefined
  }
}

function arrayOf(schema: Schema, tokens: Tokens): unknown[] | undefined {
  const item = itemTypeOf(schema)
  const kinds: readonly TokenKind[] =
    item === 'number' || item === 'integer' ? ['number'] : item === 'string' ? ['quoted', 'path', 'url'] : []
  const values = kinds.flatMap((kind) => tokens.takeAll(kind)).map((token) => (item === 'string' ? token.text : Number(token.text)))
  return values.length > 0 ? values : undefined
}

/** What a text argument is likely to look like, by its format and its name. */
function kindsFor(name: string, { format, description = '' }: Schema, isRequired: boolean): readonly TokenKind[] {
  const words = wordsOf(name)
  const is = (...of: string[]) => of.some((word) => words.includes(word))
  if (format === 'uri' || format === 'url' || is('url', 'uri', 'link', 'href')) return ['url', 'path']
  if (format === 'email' || is('email', 'mail')) return ['email']
  if (format === 'date' || format === 'date-time' || is('date', 'day')) return ['date', 'quoted']
  if (is('path', 'file', 'filename', 'dir', 'directory', 'folder', 'source', 'destination') || /\b(?:path|directory) /i.test(description)) {
    return ['path', 'fileUrl', 'quoted']
  }
  return isRequired ? ['quoted'] : []
}

function textOf(token: Token, kind: TokenKind, name: string): string {
  // An editor mentions a file by its URL; a tool that wants a path wants it as one.
  return kind === 'fileUrl' && !/ur[il]/i.test(name) ? pathOf(token.text) : token.text
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

/** "what is the weather in Paris", for `get_weather`, is about "Paris". */
function withoutOpening(text: string, tool: OfflineTool): string {
  const ofTool = new Set(wordsOf(`${tool.name} ${tool.description}`).map(stem))
  const words = text.split(/\s+/)
  const isOpening = (word: string, index: number) =>
    // A capital letter in the middle is a name: "New York" does not begin with "York".
    !(index > 0 && /^\p{Lu}/u.test(word)) && wordsOf(word).every((part) => openingWords.has(part) || ofTool.has(stem(part)))
  const start = words.findIndex((word, index) => !isOpening(word, index))
  if (start === -1) return ''
  return words
    .slice(start)
    .join(' ')
    .replace(/[\s?!.,]*(?:\bplease)?[\s?!.,]*$/i, '')
}

const openingWords: ReadonlySet<string> = new Set(
  [
    'a an the of to in on at by for with from into about as and is are was be what who which how when where this that it there some any',
    'i me my we us you your do does can could would will please want need like find show look search get give tell make let know run use call',
  ]
    .join(' ')
    .split(' '),
)
