import { readFileSync } from 'node:fs'
import { createToolSearch, type SearchableTool } from '../../packages/agent-api/src/tools/tool-search.ts'

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

function load(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'))
}

/** The share of the needed tools among the first `limit` results, averaged over the queries of the public ToolE set. */
export async function measureRecall(limit: number): Promise<{ recall: number; queries: number }> {
  const tools = load('toole.tools.json') as ToolETool[]
  const queries = load('toole.queries.json') as ToolEQuery[]
  const { search } = await createToolSearch(tools.map(toSearchable))
  const recalls = queries.map(({ query, relevant }) => {
    const found = new Set(search(query, limit).map(({ index }) => tools[index]?.id))
    return relevant.filter((group) => group.some((id) => found.has(id))).length / relevant.length
  })
  return { recall: recalls.reduce((sum, recall) => sum + recall, 0) / queries.length, queries: queries.length }
}

/** Milliseconds per query for this many tools, made by repeating the public ones under other names. */
export async function measureSpeed(toolCount: number): Promise<{ buildMs: number; queryMs: number }> {
  const tools = load('toole.tools.json') as ToolETool[]
  const queries = (load('toole.queries.json') as ToolEQuery[]).slice(0, 500)
  const many = Array.from({ length: toolCount }, (_, index): SearchableTool => {
    const tool = tools[index % tools.length] as ToolETool
    return { ...toSearchable(tool), ref: { server: `server${Math.floor(index / tools.length)}`, tool: `${tool.name}_${index}` } }
  })
  const beforeBuild = performance.now()
  const { search } = await createToolSearch(many)
  const beforeQueries = performance.now()
  for (const { query } of queries) search(query, 5)
  return { buildMs: beforeQueries - beforeBuild, queryMs: (performance.now() - beforeQueries) / queries.length }
}

function toSearchable({ server, name, description, inputSchema }: ToolETool): SearchableTool {
  return { ref: { server: server === '' ? null : server, tool: name }, description, inputSchema }
}

if (process.argv[1] === import.meta.filename) {
  const { recall, queries } = await measureRecall(5)
  process.stdout.write(`Recall@5 ${recall.toFixed(4)} over ${queries} queries\n`)
  for (const count of [199, 1_000, 5_000]) {
    const { buildMs, queryMs } = await measureSpeed(count)
    process.stdout.write(`${count} tools: built in ${buildMs.toFixed(1)} ms, ${queryMs.toFixed(3)} ms per query\n`)
  }
}
