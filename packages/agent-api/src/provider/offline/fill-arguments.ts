import { fileURLToPath } from 'node:url'
import { wordsOf } from '../../tools/search-terms.ts'
import { coerce } from './coerce.ts'
import type { OfflineTool } from './offline-tool.ts'
import { choicesOf, itemTypeOf, propertiesOf, typeOf, type Schema } from './schema-shape.ts'
import { stem } from '../../tools/stem.ts'
import { searchedLengthMax, takeTokens, type Token, type TokenKind, type Tokens } from './tokens.ts'

export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>
  /** Required arguments that the text does not provide. */
  readonly missing: readonly string[]
}

export interface FillOptions {
  /** Fill only these arguments: the requested ones. */
  readonly wanted?: readonly string[]
  /** The meaning of `this folder`. */
  readonly workingDirectory?: string | undefined
  /** False if left-over words must not become a text argument. */
  readonly loose?: boolean
}

/** A sentence never mentions more. */
const propertiesMax = 200

/**
 * Reads a tool's arguments from a sentence. First `name=value`, then values recognizable by their form (number, path, quoted text) in
 * schema order. Finally the left-over words, if a single text is missing. A path is never made from left-over words.
 */
export function fillArguments(tool: OfflineTool, said: string, options: FillOptions = {}): FilledArguments {
  const { wanted, workingDirectory, loose = true } = options
  const isWanted = (name: string) => wanted?.includes(name) ?? true
  const required = new Set((tool.schema.required ?? []).filter(isWanted))
  const isRequired = ([name]: Property) => required.has(name)
  const listed = Object.entries(propertiesOf(tool.schema)).filter(([name]) => isWanted(name))
  // Required properties come first, so that the limit does not cut them off.
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
  // Required arguments get their values first.
  for (const [name, schema] of [...lacking(), ...open()])
    if (!values.has(name)) set(name, byChoice(name, schema, tokens, required.has(name)))
  for (const [name, schema] of lacking()) set(name, byKind(name, schema, tokens, true))
  for (const [name, schema] of lacking()) set(name, schema.default ?? schema.const)
  // For a text that is still missing, a path or a number is better than left-over words.
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

/** Reads a path like `called stable in /tmp`, or `this folder`, which means the working directory. */
function placeIn(tokens: Tokens, workingDirectory: string | undefined): string | undefined {
  const name = tokens.takeMatch(namedWord)
  const here = workingDirectory === undefined ? undefined : tokens.takeMatch(thisPlace) && workingDirectory
  if (name === undefined) return here
  const parent = here ?? tokens.takeAny(['path'])?.text
  return parent === undefined ? name : `${parent.replace(/\/+$/, '')}/${name}`
}

/** Matches `the file notes`: one word, and not one from the tool's own name or description. */
function pathWord(tool: OfflineTool): RegExp {
  const known = [...openingWords, ...ownWords(tool)].join('|')
  return new RegExp(String.raw`\b(?:file|folder|directory|dir)\s+(?!(?:${known})\b)([\p{L}\p{N}_-]+)${clauseEnd}`, 'iu')
}

/** Words of the tool's name and description. */
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

/** Sorts by mentions: in `the last 5 lines`, 5 belongs to the number described with `last`. */
function byMention(properties: readonly Property[], said: string): Property[] {
  const words = new Set(wordsOf(said.slice(0, searchedLengthMax)).map(stem))
  const mentions = ([name, { description = '' }]: Property) =>
    [...new Set(wordsOf(`${name} ${description}`).map(stem))].filter((word) => words.has(word)).length
  const counted = properties.map((property) => ({ property, count: mentions(property) }))
  return counted.toSorted((a, b) => b.count - a.count).map(({ property }) => property)
}

/** The left-over words; after `called …`, only the words that follow it. */
function looseWords(tokens: Tokens, tool: OfflineTool): string {
  const rest = tokens.rest()
  const [, named] = /\b(?:called|named|titled)\s+(.+)$/i.exec(rest) ?? []
  return withoutEnd(named ?? withoutOpening(rest, tool), tokens)
}

/** If the question asked for a single text, the whole answer is that text. */
function asked(properties: readonly (readonly [string, Schema])[], said: string): Record<string, unknown> | undefined {
  const [name, schema] = properties[0] ?? ['', {}]
  if (!isText(schema) || isPath(name, schema) || schema.format !== undefined || said.trim() === '') return undefined
  return { [name]: said.trim().replace(/^(["'`])([^"'`]*)\1$/, '$2') }
}

/** Finds an enum value in the text, or a boolean mentioned by name. */
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

/** Likely forms of a text argument, by its format and name. */
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
  // Editors mention a file by its URL, but a tool that takes a path needs a path.
  return kind === 'fileUrl' && !/ur[il]/i.test(name) ? pathOf(token.text) : token.text
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

/** Strips opening words: for `get_weather`, "what is the weather in Paris" is about "Paris". */
function withoutOpening(text: string, tool: OfflineTool): string {
  const ofTool = new Set(ownWords(tool).map(stem))
  const words = text.split(/\s+/)
  const isOpening = (word: string, index: number) =>
    // A capitalized word is part of a name: "New York" does not begin with "York".
    !(index > 0 && /^\p{Lu}/u.test(word)) && wordsOf(word).every((part) => openingWords.has(part) || ofTool.has(stem(part)))
  const start = words.findIndex((word, index) => !isOpening(word, index))
  return start === -1 ? '' : words.slice(start).join(' ')
}

/** Strips words that led to a value already taken: `write hello to the file notes.txt`. */
function withoutEnd(text: string, tokens: Tokens): string {
  const plain = text.replace(/[\s?!.,]*(?:\bplease)?[\s?!.,]*$/i, '')
  if (!tokens.hasTaken()) return plain
  const kept = plain.replace(/(?:^|\s+)(?:to|in|into|at)(?:\s+(?:the|a))?(?:\s+(?:file|folder|directory))?$/i, '')
  // `write tests for main.ts` describes the text instead of giving it.
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
