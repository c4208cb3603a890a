import type { DatabaseSync } from 'node:sqlite'
import { mapInSlices } from '../base/in-slices.ts'
import type { JsonSchema, Tool, ToolRef } from '../messages/tool.ts'

export type SearchableTool = Pick<Tool, 'ref' | 'title' | 'description' | 'inputSchema'>

export interface ToolMatch {
  /** Index in the list of searchable tools. */
  readonly index: number
  readonly ref: ToolRef
  /** Comparable only within one answer. */
  readonly score: number
}

export interface ToolSearch {
  /** Returns the best matches for a description of a task, best first. Any text is a valid query. */
  search(query: string, limit: number): ToolMatch[]
}

/** Weight of a word by its column, in column order. */
const weights = { name: 6, server: 2, title: 3, description: 1, arguments: 1 }

const queryTermsMax = 64
/** The rest of a long text says little about the tool. */
const indexedCharsMax = 4_000
/** Prefix length for words that no tool contains: `astrological` finds `astrology`. */
const stemLength = 5

/** Ranks tools with BM25 over an in-memory full-text index. No model, no network; takes milliseconds to build. */
export async function createToolSearch(tools: readonly SearchableTool[]): Promise<ToolSearch> {
  const database = openIndex()
  await fill(database, tools)
  const columnWeights = Object.values(weights).join(', ')
  const rank = database.prepare(
    `SELECT rowid AS id, -bm25(tool, ${columnWeights}) AS score FROM tool WHERE tool MATCH ? ORDER BY score DESC, id LIMIT ?`,
  )
  const find = database.prepare('SELECT 1 FROM tool WHERE tool MATCH ? LIMIT 1')
  const toMatch = (term: string) =>
    term.length <= stemLength || find.get(`"${term}"`) !== undefined ? `"${term}"` : `"${term.slice(0, stemLength)}" *`
  return {
    search(query, limit) {
      const terms = searchTermsOf(query)
      if (terms.length === 0 || limit <= 0) return []
      const rows = rank.all(terms.map(toMatch).join(' OR '), limit)
      return rows.flatMap(({ id, score }) => {
        const tool = tools[Number(id)]
        return tool ? [{ index: Number(id), ref: tool.ref, score: Number(score) }] : []
      })
    },
  }
}

/** The words of a query without stop words. All words, if there are only stop words. */
export function searchTermsOf(query: string): string[] {
  const all = [...new Set(wordsOf(query))]
  const telling = all.filter((word) => !stopWords.has(word))
  return (telling.length > 0 ? telling : all).slice(0, queryTermsMax)
}

/** Splits a text into lower-case words; `readFile`, `read_file` and `HTTPServer` are two words each. */
export function wordsOf(text: string): string[] {
  const apart = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function openIndex(): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(':memory:')
  database.exec(
    `CREATE VIRTUAL TABLE tool USING fts5(${Object.keys(weights).join(', ')}, tokenize = 'porter unicode61 remove_diacritics 2', prefix = '${stemLength}')`,
  )
  return database
}

async function fill(database: DatabaseSync, tools: readonly SearchableTool[]): Promise<void> {
  const columns = Object.keys(weights)
  const insert = database.prepare(`INSERT INTO tool (rowid, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`)
  database.exec('BEGIN')
  await mapInSlices(tools, ({ ref, title, description, inputSchema }, index) => {
    const texts = [ref.tool, ref.server ?? '', title ?? '', description, argumentText(inputSchema)]
    insert.run(index, ...texts.map((text) => wordsOf(text.slice(0, indexedCharsMax)).join(' ')))
  })
  database.exec('COMMIT')
}

/** Names and descriptions of the top-level arguments. Deeper ones say little about the tool. */
function argumentText({ properties }: JsonSchema): string {
  if (typeof properties !== 'object' || properties === null) return ''
  return Object.entries(properties)
    .map(([name, schema]) => {
      const description: unknown = typeof schema === 'object' && schema !== null ? schema.description : undefined
      return `${name} ${typeof description === 'string' ? description : ''}`
    })
    .join(' ')
}

/**
 * Loads SQLite on demand. Some Node versions warn that it is experimental. This suppresses the warning, because editors show any line on
 * stderr as an error.
 */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

const stopWords: ReadonlySet<string> = new Set(
  [
    'a an the and or but if of to in on at by for with from into about as than then so because since while during before after between',
    'through across around near without within against per via over under up down off out again once too only even still ever never',
    'i me my we us our you your he she it its they them their his her this that these those there here who what which when where why how',
    'am is are was were be been being do does did done have has had will would shall should can could may might must not no yes',
    'im ive id ill dont cant s t m re ve ll d',
    'please help want need like love know tell give get let make show find look looking search provide suggest recommend assist assistance',
    'helping trying try use used using way ways thing things something anything someone some any many much more most lot lots few several',
    'each every all both other another own same such just really very also additionally furthermore moreover however',
    'information info detail details specific different various related relevant regarding concerning based include including includes',
    'possible available able interested interest planning plan wondering curious best good better great top popular new recent recently',
    'current currently latest hi hello hey thank thanks kindly appreciate',
  ]
    .join(' ')
    .split(' '),
)
