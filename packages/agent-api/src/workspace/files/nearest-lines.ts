import type { LineSearch } from './find-lines.ts'

const shownLinesMax = 12
const lineCharsMax = 200
/** Lines that occur more often say little about a place. */
const placesMax = 50
/** Lines that are compared word by word if no line is the same. */
const comparedLinesMax = 50_000

/** The lines of a file that are most like the wanted text, numbered, for the model. Undefined if nothing is like it. */
export function nearestLines(search: LineSearch, wanted: string): string | undefined {
  const lines = wanted.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n')
  const first = firstBySameLines(search, lines) ?? firstByWords(search, lines)
  if (first === undefined) return undefined
  const from = Math.max(0, first - 1)
  const shown = search.lines.slice(from, from + Math.min(lines.length + 2, shownLinesMax))
  return shown.map((line, index) => `${from + index + 1}\t${shorten(line)}`).join('\n')
}

/** Each line that is the same votes for the place where the text would begin. */
function firstBySameLines(search: LineSearch, lines: readonly string[]): number | undefined {
  const votes = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const content = line.trim()
    if (!/\w/.test(content)) continue
    const places = search.places(content)
    if (places.length > placesMax) continue
    for (const place of places) votes.set(place - index, (votes.get(place - index) ?? 0) + content.length)
  }
  let best: { readonly first: number; readonly weight: number } | undefined
  for (const [first, weight] of votes) if (best === undefined || weight > best.weight) best = { first, weight }
  return best && Math.max(0, best.first)
}

/** Finds the line that shares most words with the longest wanted line: at least half of them. */
function firstByWords(search: LineSearch, lines: readonly string[]): number | undefined {
  const index = lines.reduce((longest, line, at) => (line.trim().length > (lines[longest] ?? '').trim().length ? at : longest), 0)
  const words = new Set(wordsOf(lines[index] ?? ''))
  if (words.size === 0) return undefined
  let best = { place: -1, score: 0.5 }
  for (const [place, line] of search.lines.slice(0, comparedLinesMax).entries()) {
    const others = new Set(wordsOf(line))
    let shared = 0
    for (const word of others) if (words.has(word)) shared++
    const score = (2 * shared) / (words.size + others.size)
    if (score > best.score) best = { place, score }
  }
  return best.place === -1 ? undefined : Math.max(0, best.place - index)
}

function wordsOf(line: string): string[] {
  return line.slice(0, 1_000).match(/\w+|[^\w\s]/g) ?? []
}

function shorten(line: string): string {
  return line.length > lineCharsMax ? `${line.slice(0, lineCharsMax)}…` : line
}
