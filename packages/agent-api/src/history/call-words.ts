import { createHash } from 'node:crypto'
import type { CallFilter } from './call.ts'
import { recordedNames } from './called-servers.ts'
import type { Statements } from './statements.ts'

/**
 * The text index answers filters too: each call has, next to its words, one made-up word for its agent, session, server, tool and status.
 * Whatever is combined, SQLite then meets in lists of row numbers that are sorted already, and reads only the rows of the page. A residue
 * of exact conditions stays in the query, so it is enough for these words to be nearly unique.
 */
export type Facets = Required<Pick<CallFilter, 'agent' | 'server' | 'tool' | 'status'>> & { readonly sessionId: string | null }

/** No letter, and part of a word all the same (see the migration): no search can be for one of these. */
const mark = '§'
const hashLength = 12
/** So much of arguments and result can be searched for. */
const searchedCharsMax = 16 * 1024
const prefixLengthMin = 3

const insert = 'INSERT INTO tool_calls_words (rowid, words) VALUES (?, ?)'
const exists = 'SELECT 1 FROM tool_calls_words WHERE tool_calls_words MATCH ? LIMIT 1'

export function indexCall(statements: Statements, seq: number, facets: Facets, texts: readonly string[]): void {
  const text = texts.map((part) => part.slice(0, searchedCharsMax).replaceAll(mark, ' ').normalize('NFC'))
  statements.run(insert, seq, [...facetWords(facets), facets.server ?? '', facets.tool, ...text].join('\n'))
}

/** What to look for; undefined when neither a word nor any of the facets is asked for. */
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

/** Whether there is a call that has ended with all of these. */
export function hasMatch(statements: Statements, facets: Partial<Facets>): boolean {
  return statements.get(exists, facetWords(facets).map(quoted).join(' AND ')) !== undefined
}

/** Beginnings are looked for only where whole words find nothing: a common one takes a while, and a whole word is what is meant. */
function textMatch(statements: Statements, text: string | undefined): readonly string[] {
  const words = wordsOf(text ?? '').map(quoted)
  const last = words.at(-1)
  if (last === undefined) return text === undefined ? [] : [quoted(mark)]
  const whole = words.join(' AND ')
  if (last.length - 2 < prefixLengthMin || statements.get(exists, whole) !== undefined) return [whole]
  return [...words.slice(0, -1), `${last}*`]
}

/**
 * As the index takes text apart. It knows the letters of an older Unicode, and refuses what it would see as two words: letters beyond the
 * first plane, where nearly all of the new ones are, stand alone.
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
  return facets.flatMap(([kind, value]) => (value === undefined ? [] : [mark + kind + (value === null ? '' : hashOf(value))]))
}

function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, hashLength)
}

function quoted(word: string): string {
  return `"${word}"`
}
