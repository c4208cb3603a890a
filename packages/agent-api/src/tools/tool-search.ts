import type { DatabaseSync } from 'node:sqlite'
import { mapInSlices } from '../base/in-slices.ts'
import type { JsonSchema, Tool, ToolRef } from '../messages/tool.ts'
import { loadRelatedWords, type RelatedWords } from './related-words.ts'
import { searchTermsOf, wordsOf } from './search-terms.ts'
import { toolKey } from './select-tools.ts'
import { addTo, type ToolVotes } from './tool-votes.ts'

export interface SearchableTool extends Pick<Tool, 'ref' | 'title' | 'description' | 'inputSchema'> {
  readonly serverDescription?: string | undefined
}

interface ToolMatch {
  readonly index: number
  readonly ref: ToolRef
  readonly score: number
}

export interface ToolSearch {
  /** Best first. Any text is a valid query. */
  search(query: string, limit: number): ToolMatch[]
}

export interface ToolSearchOptions {
  readonly votes?: ToolVotes
  readonly relatedWords?: RelatedWords
}

const weights = { name: 6, server: 2, title: 3, description: 1, arguments: 1, server_description: 0.5 }

/** Weight of the words of similar meaning, compared with the words of the query. */
const relatedWeight = 0.2
/** Weight of the votes, compared with the best match of words. */
const votesWeight = 1.2
/** Number of matches by words, and by related words, that are compared. */
const candidatesMax = 30
/** The rest of a long text says little about the tool. */
const indexedCharsMax = 4_000
/** Prefix length for words that no tool contains: `astrological` finds `astrology`. */
const stemLength = 5

/** BM25 over an in-memory full-text index, and votes. No model, no network; takes milliseconds to build. */
export async function createToolSearch(
  tools: readonly SearchableTool[],
  options: ToolSearchOptions = {},
): Promise<ToolSearch> {
  const { votes, relatedWords = await loadRelatedWords() } = options
  const database = openIndex()
  await fill(database, tools)
  const indexes = new Map(tools.map(({ ref }, index) => [toolKey(ref), index]))
  const columnWeights = Object.values(weights).join(', ')
  const rank = database.prepare(
    `SELECT rowid AS id, -bm25(tool, ${columnWeights}) AS score FROM tool WHERE tool MATCH ? ORDER BY score DESC, id LIMIT ?`,
  )
  const find = database.prepare('SELECT 1 FROM tool WHERE tool MATCH ? LIMIT 1')
  const toMatch = (term: string) =>
    term.length <= stemLength || find.get(`"${term}"`) !== undefined
      ? `"${term}"`
      : `"${term.slice(0, stemLength)}" *`
  return {
    search(query, limit) {
      const terms = searchTermsOf(query)
      if (terms.length === 0 || limit <= 0) return []
      const scores = new Map<number, number>()
      const add = (matches: Iterable<string>, weight: number) => {
        const rows = rank.all([...matches].join(' OR '), Math.max(limit, candidatesMax))
        for (const { id, score } of rows) addTo(scores, Number(id), weight * Number(score))
      }
      add(terms.map(toMatch), 1)
      const related = new Set(terms.flatMap(relatedWords).filter((word) => !terms.includes(word)))
      if (related.size > 0) add(related, relatedWeight)
      const best = Math.max(...scores.values(), 0) || 1
      for (const [key, vote] of votes?.(query) ?? []) {
        const index = indexes.get(key)
        if (index !== undefined) addTo(scores, index, votesWeight * best * vote)
      }
      return [...scores]
        .toSorted(([a, first], [b, second]) => second - first || a - b)
        .slice(0, limit)
        .flatMap(([index, score]) => (tools[index] ? [{ index, ref: tools[index].ref, score }] : []))
    },
  }
}

function openIndex(): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE VIRTUAL TABLE tool USING fts5(${Object.keys(weights).join(', ')}, content = '', tokenize = 'porter unicode61 remove_diacritics 2', prefix = '${stemLength}')`,
  )
  return database
}

async function fill(database: DatabaseSync, tools: readonly SearchableTool[]): Promise<void> {
  const columns = Object.keys(weights)
  const insert = database.prepare(
    `INSERT INTO tool (rowid, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
  )
  database.exec('BEGIN')
  await mapInSlices(tools, ({ ref, title, description, inputSchema, serverDescription }, index) => {
    const texts = [
      ref.tool,
      ref.server ?? '',
      title ?? '',
      description,
      argumentText(inputSchema),
      serverDescription ?? '',
    ]
    insert.run(index, ...texts.map((text) => wordsOf(text.slice(0, indexedCharsMax)).join(' ')))
  })
  database.exec('COMMIT')
}

/** Deeper descriptions say little about the tool. */
function argumentText({ properties }: JsonSchema): string {
  if (typeof properties !== 'object' || properties === null) return ''
  return Object.entries(properties)
    .map(([name, schema]) => {
      const description: unknown =
        typeof schema === 'object' && schema !== null ? schema.description : undefined
      return `${name} ${typeof description === 'string' ? description : ''}`
    })
    .join(' ')
}

/** Some Node versions warn that SQLite is experimental, and editors show any line on stderr as an error. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
