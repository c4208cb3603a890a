import { readFileSync } from 'node:fs'
import type { PastSearch } from '../../packages/agent-api/src/messages/tool.ts'
import { loadRelatedWords, type RelatedWords } from '../../packages/agent-api/src/tools/related-words.ts'
import {
  createToolSearch,
  type SearchableTool,
  type ToolSearchOptions,
} from '../../packages/agent-api/src/tools/tool-search.ts'
import { createToolVotes } from '../../packages/agent-api/src/tools/tool-votes.ts'

interface ToolETool {
  readonly id: string
  readonly server: string
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

interface ToolEQuery {
  readonly query: string
  /** Each group is a need of the query, which any of its tools satisfies. */
  readonly relevant: readonly (readonly string[])[]
}

const fixtures = new URL('../fixtures/toolsearch/', import.meta.url)
const tools = load('toole.tools.json') as readonly ToolETool[]
const queries = load('toole.queries.json') as readonly ToolEQuery[]
/** Every other query is the past, which votes. Recall is measured with the others. */
const past = queries.filter((_, index) => index % 2 === 0)
const asked = queries.filter((_, index) => index % 2 === 1)
const limits = [1, 5, 10]

const noWords: RelatedWords = () => []

function load(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'))
}

export interface Parts {
  readonly meaning: boolean
  readonly votes: boolean
}

async function optionsOf({ meaning, votes }: Parts): Promise<ToolSearchOptions> {
  return {
    ...(!meaning && { relatedWords: noWords }),
    ...(votes && { votes: createToolVotes(past.map(toPastSearch)) }),
  }
}

/** The share of the needed tools among the first 1, 5 and 10 results, averaged over queries of the public ToolE set. */
export async function measureRecall(
  parts: Parts,
  among: readonly ToolEQuery[] = asked,
): Promise<readonly number[]> {
  const { search } = await createToolSearch(tools.map(toSearchable), await optionsOf(parts))
  const sums = limits.map(() => 0)
  for (const { query, relevant } of among) {
    const found = search(query, Math.max(...limits)).map(({ index }) => tools[index]?.id)
    for (const [place, limit] of limits.entries()) {
      const first = new Set(found.slice(0, limit))
      sums[place] =
        (sums[place] ?? 0) +
        relevant.filter((group) => group.some((id) => first.has(id))).length / relevant.length
    }
  }
  return sums.map((sum) => sum / among.length)
}

/** Milliseconds for this many tools, made by repeating the public ones under other names, with all parts of the search. */
async function measureSpeed(toolCount: number): Promise<{ buildMs: number; queryMs: number }> {
  const some = queries.slice(0, 500)
  const many = Array.from({ length: toolCount }, (_, index): SearchableTool => {
    const tool = tools[index % tools.length] as ToolETool
    return {
      ...toSearchable(tool),
      ref: { server: `server${Math.floor(index / tools.length)}`, tool: `${tool.name}_${index}` },
    }
  })
  await loadRelatedWords()
  const beforeBuild = processorMs()
  const { search } = await createToolSearch(many, await optionsOf({ meaning: true, votes: true }))
  const beforeQueries = processorMs()
  for (const { query } of some) search(query, 5)
  return { buildMs: beforeQueries - beforeBuild, queryMs: (processorMs() - beforeQueries) / some.length }
}

/** The time of the processor, which a busy machine hardly changes. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function toSearchable({ server, name, description, inputSchema }: ToolETool): SearchableTool {
  return { ref: { server: server === '' ? null : server, tool: name }, description, inputSchema }
}

/** As if the needed tools had been called and had succeeded. */
function toPastSearch({ query, relevant }: ToolEQuery): PastSearch {
  const needed = new Set(relevant.flat())
  return {
    text: query,
    tools: tools.filter(({ id }) => needed.has(id)).map((tool) => toSearchable(tool).ref),
  }
}

if (process.argv[1] === import.meta.filename) {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const row = (name: string, recalls: readonly number[]) =>
    print(name + recalls.map((recall) => (100 * recall).toFixed(1).padStart(8)).join(''))
  const rows = async (among: readonly ToolEQuery[]) => {
    row('words             ', await measureRecall({ meaning: false, votes: false }, among))
    row('+ meaning         ', await measureRecall({ meaning: true, votes: false }, among))
  }
  print(`ToolE: ${tools.length} tools. Recall in % at     ${limits.join('       ')}`)
  print(`All ${queries.length} queries:`)
  await rows(queries)
  print(`The ${asked.length} queries of one half, for which the ${past.length} of the other half vote:`)
  await rows(asked)
  row('+ votes           ', await measureRecall({ meaning: false, votes: true }))
  row('all               ', await measureRecall({ meaning: true, votes: true }))
  print(
    '+ column: the descriptions of servers change nothing here, because the tools of this set have no servers.',
  )
  for (const count of [199, 1_000, 5_000]) {
    const { buildMs, queryMs } = await measureSpeed(count)
    print(
      `${count} tools, all parts: built in ${buildMs.toFixed(1)} ms, ${queryMs.toFixed(3)} ms per query (processor time)`,
    )
  }
}
