import { fileURLToPath } from 'node:url'
import { wordsOf, stem } from '../../tools/search-terms.ts'
import { coerce, propertyOf, typeOf, type OfflineTool, type Schema } from './offline-tool.ts'
import { isPath, readCharsMax, readValues, type Value } from './read-values.ts'

export interface FilledArguments {
  readonly values: Readonly<Record<string, unknown>>
  /** Required arguments that the text does not provide. */
  readonly missing: readonly string[]
}

const thisPlace = /\b(?:this|(?:the )?current|(?:the )?working) (?:folder|directory)\b|\bhere\b/i

/** A name in words, as in `a folder called my horses`, is not a path. */
const namesIt = /\b(?:called|named)\s\p{L}/iu

/**
 * Reads a tool's arguments from a sentence: first `name=value`, then numbers, paths and quoted texts for the required
 * arguments in their order. Left-over words are the last missing text, but never a path.
 */
export function fillArguments(tool: OfflineTool, said: string, workingDirectory?: string): FilledArguments {
  const { pairs, left } = readPairs(said, tool)
  const { values: found, rest } = readValues(left)
  const values = new Map(pairs)
  const open = () => (tool.schema.required ?? []).filter((name) => !values.has(name))
  const kindOf = (name: string) => kindOfArgument(name, propertyOf(tool.schema, name))
  const take = (fits: (value: Value) => boolean) => {
    const at = found.findIndex(fits)
    return at === -1 ? undefined : found.splice(at, 1)[0]?.text
  }
  const valueFor = (name: string): unknown => {
    switch (kindOf(name)) {
      case 'number': {
        const text = take(({ kind }) => kind === 'number')
        return text === undefined ? undefined : coerce(text, propertyOf(tool.schema, name))
      }
      case 'path':
        if (namesIt.test(rest)) return undefined
        if (workingDirectory !== undefined && thisPlace.test(rest)) return workingDirectory
        return withoutScheme(
          name,
          take(({ text }) => isPath(text)) ??
            take(({ kind, text }) => kind === 'quoted' && !text.includes('*')),
        )
      case 'text':
        return take(({ kind }) => kind === 'quoted') ?? take(() => true)
      default:
        return undefined
    }
  }
  // A text takes what no path wants.
  for (const name of open().toSorted((a, b) => Number(kindOf(a) === 'text') - Number(kindOf(b) === 'text'))) {
    const value = valueFor(name)
    if (value !== undefined) values.set(name, value)
  }
  const [last, ...others] = open()
  if (last !== undefined && others.length === 0 && values.size === pairs.size && kindOf(last) === 'text') {
    const text = withoutOpening(rest, tool) + left.slice(readCharsMax)
    const trimmed = text.replace(/[\s?!.,]*(?:\bplease)?[\s?!.,]*$/i, '')
    if (trimmed !== '') values.set(last, trimmed)
  }
  return { values: Object.fromEntries(values), missing: open() }
}

/** A value is JSON, a quoted text or one word. */
const pairPattern =
  /(?<![\p{L}\p{N}_/-])([\p{L}_][\p{L}\p{N}_-]*)=(?:(\{[^\n]*\}|\[[^\n]*\])|"([^"]*)"|'([^']*)'|([^\s,;]+))/gu

function readPairs(said: string, { schema }: OfflineTool) {
  const pairs = new Map<string, unknown>()
  const replaced = said
    .slice(0, readCharsMax)
    .replace(pairPattern, (whole: string, name: string, ...rest) => {
      const text = (rest as (string | undefined)[]).slice(0, 4).find((group) => group !== undefined)
      const isNew = Object.hasOwn(schema.properties ?? {}, name) && !pairs.has(name)
      const value = isNew ? coerce(text ?? '', propertyOf(schema, name)) : undefined
      if (value === undefined) return whole
      pairs.set(name, value)
      return ' '
    })
  return { pairs, left: replaced + said.slice(readCharsMax) }
}

const contentName = /content|text|data|body|message|pattern|type|encoding/i
const pathName = /path|file|dir|folder|source|destination|ur[il]|link|href|e?mail/i

/** How to find a value: `path` is a path or an address, `text` any other text. Anything else must be named. */
function kindOfArgument(name: string, schema: Schema): 'number' | 'path' | 'text' | 'named' {
  const type = typeOf(schema)
  if (type === 'number' || type === 'integer') return 'number'
  if (type !== 'string' || schema.enum) return 'named'
  const isPath = pathName.test(name) || /path|file|ur[il]|mail/i.test(schema.format ?? '')
  return isPath && !contentName.test(name) ? 'path' : 'text'
}

/** Editors mention a file by its URL, but a tool that takes a path needs a path. */
function withoutScheme(name: string, text: string | undefined): string | undefined {
  if (!text?.startsWith('file://') || /ur[il]/i.test(name)) return text
  try {
    return fileURLToPath(text)
  } catch {
    return text
  }
}

/** Strips opening words: for `get_weather`, "what is the weather in Paris" is about "Paris". */
function withoutOpening(text: string, { name }: OfflineTool): string {
  const ofTool = new Set(wordsOf(name).map(stem))
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
