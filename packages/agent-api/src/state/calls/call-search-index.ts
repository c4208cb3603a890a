import { hashText } from '../../base/hash-text.ts'
import type { CallFilter } from './call.ts'
import { recordedNames } from './called-servers.ts'
import type { Statements } from '../db/statements.ts'

/**
 * The text index also serves filters. Besides its words, each call has a generated word for its agent, session, server, tool and status.
 * For any combination, SQLite then intersects sorted lists of row numbers, and reads only the rows of the page. The query keeps the exact
 * conditions, so these words need only be nearly unique.
 */
type Facets = Required<Pick<CallFilter, 'agent' | 'server' | 'tool' | 'status'>> & {
  readonly sessionId: string | null
}

/** Not a letter, but part of a word for the tokenizer (see the migration). No search can contain it. */
const mark = '§'
const hashLength = 12
const searchedCharsMax = 16 * 1024
const prefixLengthMin = 3

const insert = 'INSERT INTO tool_calls_words (rowid, words) VALUES (?, ?)'
const exists = 'SELECT 1 FROM tool_calls_words WHERE tool_calls_words MATCH ? LIMIT 1'

export function indexCall(
  statements: Statements,
  seq: number,
  facets: Facets,
  texts: readonly string[],
): void {
  const text = texts.map((part) => part.slice(0, searchedCharsMax).replaceAll(mark, ' ').normalize('NFC'))
  statements.run(insert, seq, [...facetWords(facets), facets.server ?? '', facets.tool, ...text].join('\n'))
}

/** Undefined if neither words nor facets are given. */
export function toMatch(
  statements: Statements,
  { server, text, ...facets }: Partial<Facets> & Pick<CallFilter, 'text'>,
): string | undefined {
  const names = server === undefined ? [] : recordedNames(statements, server)
  const servers = names.flatMap((name) => facetWords({ server: name })).map(quoted)
  const asked = [
    ...facetWords(facets).map(quoted),
    ...(servers.length === 0 ? [] : [`(${servers.join(' OR ')})`]),
    ...textMatch(statements, text),
  ]
  return asked.length === 0 ? undefined : asked.join(' AND ')
}

export function hasMatch(statements: Statements, facets: Partial<Facets>): boolean {
  return statements.get(exists, facetWords(facets).map(quoted).join(' AND ')) !== undefined
}

/** Searches for a prefix only if no call has the whole words: a common prefix is slow, and a whole word is what is usually meant. */
function textMatch(statements: Statements, text: string | undefined): readonly string[] {
  const words = wordsOf(text ?? '').map(quoted)
  const last = words.at(-1)
  if (last === undefined) return text === undefined ? [] : [quoted(mark)]
  const whole = words.join(' AND ')
  if (last.length - 2 < prefixLengthMin || statements.get(exists, whole) !== undefined) return [whole]
  return [...words.slice(0, -1), `${last}*`]
}

/**
 * Splits text the way the index does. Its tokenizer knows an older Unicode version and rejects a word that it would split. Letters outside
 * the basic plane, which include nearly all newer ones, are words of their own.
 */
function wordsOf(text: string): readonly string[] {
  return text.normalize('NFC').match(/(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{N}])+|[\p{L}\p{N}]/gu) ?? []
}

function facetWords({ agent, sessionId, server, tool, status }: Partial<Facets>): readonly string[] {
  const facets = [
    ['a', agent],
    ['i', sessionId],
    ['s', server],
    ['t', tool],
    ['e', status],
  ] as const
  return facets.flatMap(([kind, value]) =>
    value === undefined ? [] : [mark + kind + (value === null ? '' : hashText(value).slice(0, hashLength))],
  )
}

function quoted(word: string): string {
  return `"${word}"`
}
