import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { convert } from 'ast-v8-to-istanbul'
import { parseAst } from 'rolldown/parseAst'

export interface FileCoverage {
  readonly path: string
  readonly lines: Share
  readonly branches: Share
}

export interface Share {
  readonly covered: number
  /** Line numbers, in order. */
  readonly missing: readonly number[]
}

type Functions = readonly Profiler.FunctionCoverage[]

/** The number of times each character of a source ran, over all processes. */
type Counts = Float64Array

/**
 * Reads which lines and branches of a folder's sources ran, from the files in `rawDirs`. Node replaces types with blanks, so positions in
 * the coverage are positions in the source. Sources that were never loaded also count.
 */
export async function readCoverage(sourceDir: string, rawDirs: readonly string[]): Promise<FileCoverage[]> {
  const paths = globSync('**/*.ts', { cwd: sourceDir })
    .map((path) => join(sourceDir, path))
    .toSorted()
  const sources = new Map(
    paths.map((path) => [pathToFileURL(path).href, { path, text: readFileSync(path, 'utf8') }]),
  )
  const counts = new Map<string, Counts>()
  for (const file of rawDirs.flatMap(filesOf)) {
    const { result } = readScripts(file)
    for (const { url, functions } of result) {
      const source = sources.get(url)
      if (source === undefined) continue
      const sum = counts.get(url) ?? new Float64Array(source.text.length)
      counts.set(url, sum)
      addCounts(sum, functions)
    }
  }
  return Promise.all(
    [...sources].map(([url, { path, text }]) => toFileCoverage(url, path, text, counts.get(url))),
  )
}

function filesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** A process that is killed while writing leaves a partial file. */
function readScripts(path: string): { readonly result: readonly Profiler.ScriptCoverage[] } {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { result: [] }
  }
}

/** The innermost range around a character determines its count. */
function addCounts(sum: Counts, functions: Functions): void {
  const ranges = functions
    .flatMap((each) => each.ranges)
    .toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset))
  const counts = new Float64Array(sum.length)
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset)
  for (let offset = 0; offset < sum.length; offset++) sum[offset] = (sum[offset] ?? 0) + (counts[offset] ?? 0)
}

async function toFileCoverage(
  url: string,
  path: string,
  text: string,
  counts: Counts = new Float64Array(text.length),
): Promise<FileCoverage> {
  const functions = [{ functionName: '', isBlockCoverage: true, ranges: toRanges(counts) }]
  const map = await convert({
    code: text,
    ast: parseAst(text, { lang: 'ts' }) as never,
    coverage: { url, functions },
  })
  const [file] = Object.values(map)
  if (file === undefined || 'data' in file) throw new Error(`There is no coverage of ${path}`)
  const byLine = new Map<number, boolean>()
  for (const [id, { start }] of Object.entries(file.statementMap)) {
    byLine.set(start.line, (byLine.get(start.line) ?? false) || (file.s[id] ?? 0) > 0)
  }
  const branches = Object.entries(file.branchMap).flatMap(([id, { line }]) =>
    (file.b[id] ?? []).map((count): [number, boolean] => [line, count > 0]),
  )
  return { path, lines: toShare([...byLine]), branches: toShare(branches) }
}

function toRanges(counts: Counts): Profiler.CoverageRange[] {
  const ranges: Profiler.CoverageRange[] = []
  for (let start = 0, end = 1; end <= counts.length; end++) {
    if (end < counts.length && counts[end] === counts[start]) continue
    ranges.push({ startOffset: start, endOffset: end, count: counts[start] ?? 0 })
    start = end
  }
  return ranges
}

function toShare(places: readonly (readonly [line: number, isCovered: boolean])[]): Share {
  const missing = places.flatMap(([line, isCovered]) => (isCovered ? [] : [line])).toSorted((a, b) => a - b)
  return { covered: places.length - missing.length, missing }
}
