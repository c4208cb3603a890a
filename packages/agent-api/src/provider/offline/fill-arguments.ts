import { fileURLToPath } from 'node:url'
import { wordsOf } from '../../tools/tool-search.ts'
import { coerce } from './coerce.ts'
import type { OfflineTool } from './offline-tool.ts'
import { choicesOf, itemTypeOf, propertiesOf, typeOf, type Schema } from './schema-shape.ts'
import { stem } from './stem.ts'
import { searchedLengthMax, takeTokens, type Token, type TokenKind, type Tokens } from './tokens.ts'

export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>
  /** Required, and not to be read from the text. */
  readonly missing: readonly string[]
}

export interface FillOptions {
  /** Only these: the ones that were asked for. */
  readonly wanted?: readonly string[]
  /** What `this folder` means. */
  readonly workingDirectory?: string | undefined
  /** Whether the words that are left may become a text. */
  readonly loose?: boolean
}

/** A sentence does not speak of more. */
const propertiesMax = 200

/**
 * The arguments that can be read from a sentence: `name=value` first, then what a value's own look gives away (a number, a path, a quoted
 * text), in the order of the schema, and at last the words that are left, if one text is all that is missing. A path is never made of loose
 * words.
 */
export function fillArguments(tool: OfflineTool, said: string, options: FillOptions = {}): FilledArguments {
  const { wanted, workingDirectory, loose = true } = options
  const isWanted = (name: string) => wanted?.includes(name) ?? true
  const required = new Set((tool.schema.required ?? []).filter(isWanted))
  const isRequired = ([name]: Property) => required.has(name)
  const listed = Object.entries(propertiesOf(tool.schema)).filter(([name]) => isWanted(name))
  // What a tool must have is looked for however much there is that it may have.
  const properties =
    listed.length <= propertiesMax
      ? listed
      : listed.toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a))).slice(0, propertiesMax)

  const tokens = takeTokens(said, Object.fromEntries(properties))
  const whole = asked(properties, said)
  if (wanted?.length === 1 && whole !== undefined && Object.keys(tokens.pairs).length === 0) return { values: whole, missing: [] }
  const values = new Map<string, unknown>(Object.entries(tokens.pairs))
  const open = () => properties.filter(([name]) => !values.has(name))
  const lacking = () => open().filter(isRequired)
  let pathPattern: RegExp | undefined
  const set = (name: string, value: unknown) => void (value === undefined || values.set(name, value))

  const paths = lacking().filter(([name, schema]) => isPath(name, schema))
  const [path] = paths
  if (path && paths.length === 1) set(path[0], placeIn(tokens, workingDirectory))
  // What a tool must have comes first in the queue for values.
  for (const [name, schema] of [...lacking(), ...open()])
    if (!values.has(name)) set(name, byChoice(name, schema, tokens, required.has(name)))
  for (const [name, schema] of lacking()) set(name, byKind(name, schema, tokens, true))
  for (const [name, schema] of lacking()) set(name, schema.default ?? schema.const)
  // Nothing else says it is a text: a path or a number will do before the words that are left.
  for (const [name, schema] of lacking()) if (isText(schema)) set(name, tokens.takeAny(isPath(name, schema) ? pathKinds : undefined)?.text)
  for (const [name, schema] of lacking())
    if (isPath(name, schema)) set(name, tokens.takeMatch((pathPattern ??= wanted ? onlyWord : pathWord(tool))))
  for (const [name, schema] of byMention(open(), said)) set(name, byKind(name, schema, tokens, false))
  const [last, ...others] = lacking()
  const words = loose && last && others.length === 0 && !isPath(last[0], last[1]) ? looseWords(tokens, tool) : ''
  if (last && words !== '') set(last[0], coerce(words, last[1]))
  return { values: Object.fromEntries(values), missing: [...required].filter((name) => !values.has(name)) }
}

type Property = readonly [name: string, schema: Schema]

function isText(schema: Schema): boolean {
  return typeOf(schema) === 'string' && choicesOf(schema).length === 0
}

const pathKinds: readonly TokenKind[] = ['path', 'fileUrl', 'quoted']
const thisPlace = /\b(?:in\s+)?(?:(?:(?:this|(?:the\s+|my\s+)?(?:current|working))\s+(?:working\s+)?(?:folder|directory|dir)|here)\b)/i
const clauseEnd = String.raw`(?=\s*(?:[.,;?!]*\s*$|[,;]|\b(?:in|inside|under|into|from|with|to|and|for|at|on|please)\b))`
const namedWord = new RegExp(String.raw`\b(?:called|named)\s+([\p{L}\p{N}_~.-]*[\p{L}\p{N}_~-])${clauseEnd}`, 'iu')
const onlyWord = /^\s*([^\s"'`?!,;]+)\s*$/

/** `called stable in /tmp`, and `this folder`, which only the working directory tells. */
function placeIn(tokens: Tokens, workingDirectory: string | undefined): string | undefined {
  const name = tokens.takeMatch(namedWord)
  const here = workingDirectory === undefined ? undefined : tokens.takeMatch(thisPlace) && workingDirectory
  if (name === undefined) return here
  const parent = here ?? tokens.takeAny(['path'])?.text
  return parent === undefined ? name : `${parent.replace(/\/+$/, '')}/${name}`
}

/** `the file notes`: one word, and none that the tool itself is described with. */
function pathWord(tool: OfflineTool): RegExp {
  const known = [...openingWords, ...ownWords(tool)].join('|')
  return new RegExp(String.raw`\b(?:file|folder|directory|dir)\s+(?!(?:${known})\b)([\p{L}\p{N}_-]+)${clauseEnd}`, 'iu')
}

/** Those that it is called and described with. */
function ownWords({ name, description }: OfflineTool): string[] {
  return wordsOf(`${name} ${description.slice(0, searchedLengthMax)}`)
}

function isPath(name: string, schema: Schema): boolean {
  if (!isText(schema)) return false
  const { format = '', description = '' } = schema
  const words = wordsOf(name)
  if (/path|file|dir/i.test(format) || words.some((word) => pathNames.has(word))) return !words.some((word) => contentNames.has(word))
  if (format !== '' || words.some((word) => contentNames.has(word))) return false
  return /\bpath\b|\b(?:file|directory|folder)(?: ?names?\b| to\b|$)|^(?:the )?(?:directory|folder)\b/i.test(description)
}

const pathNames: ReadonlySet<string> = new Set('path file filename dir directory folder source destination'.split(' '))
const contentNames: ReadonlySet<string> = new Set(
  'content contents text data body message pattern url uri link href type encoding'.split(' '),
)

/** Of two numbers, `the last 5 lines` means the one that is described with `last`. */
function byMention(properties: readonly Property[], said: string): Property[] {
  const words = new Set(wordsOf(said.slice(0, searchedLengthMax)).map(stem))
  const mentions = ([name, { description = '' }]: Property) =>
    [...new Set(wordsOf(`${name} ${description}`).map(stem))].filter((word) => words.has(word)).length
  const counted = properties.map((property) => ({ property, count: mentions(property) }))
  return counted.toSorted((a, b) => b.count - a.count).map(({ property }) => property)
}

/** The words that are left, from `called …` on where that is said. */
function looseWords(tokens: Tokens, tool: OfflineTool): string {
  const rest = tokens.rest()
  const [, named] = /\b(?:called|named|titled)\s+(.+)$/i.exec(rest) ?? []
  return withoutEnd(named ?? withoutOpening(rest, tool), tokens)
}

/** The answer to one question for a text is the text, all of it. */
function asked(properties: readonly (readonly [string, Schema])[], said: string): Record<string, unknown> | undefined {
  const [name, schema] = properties[0] ?? ['', {}]
  if (!isText(schema) || isPath(name, schema) || schema.format !== undefined || said.trim() === '') return undefined
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
function kindsFor(name: string, schema: Schema, isRequired: boolean): readonly TokenKind[] {
  const { format } = schema
  const words = wordsOf(name)
  const is = (...of: string[]) => of.some((word) => words.includes(word))
  if (format === 'uri' || format === 'url' || is('url', 'uri', 'link', 'href')) return ['url', 'path']
  if (format === 'email' || is('email', 'mail')) return ['email']
  if (format === 'date' || format === 'date-time' || is('date', 'day')) return ['date', 'quoted']
  if (isPath(name, schema)) return pathKinds
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
  const ofTool = new Set(ownWords(tool).map(stem))
  const words = text.split(/\s+/)
  const isOpening = (word: string, index: number) =>
    // A capital letter in the middle is a name: "New York" does not begin with "York".
    !(index > 0 && /^\p{Lu}/u.test(word)) && wordsOf(word).every((part) => openingWords.has(part) || ofTool.has(stem(part)))
  const start = words.findIndex((word, index) => !isOpening(word, index))
  return start === -1 ? '' : words.slice(start).join(' ')
}

/** What led to a value that has been taken is no part of the text: `write hello to the file notes.txt`. */
function withoutEnd(text: string, tokens: Tokens): string {
  const plain = text.replace(/[\s?!.,]*(?:\bplease)?[\s?!.,]*$/i, '')
  if (!tokens.hasTaken()) return plain
  const kept = plain.replace(/(?:^|\s+)(?:to|in|into|at)(?:\s+(?:the|a))?(?:\s+(?:file|folder|directory))?$/i, '')
  // `write tests for main.ts` says what they are about, not what they are.
  return /\b(?:for|about|of|from|on|with|under|as|and|than|by)$/i.test(kept) ? '' : kept
}

const openingWords: ReadonlySet<string> = new Set(
  [
    'a an the of to in on at by for with from into about as and is are was be what who which how when where this that it there some any',
    'i me my we us you your do does can could would will please want need like find show look search get give tell make let know run use call',
  ]
    .join(' ')
    .split(' '),
)
