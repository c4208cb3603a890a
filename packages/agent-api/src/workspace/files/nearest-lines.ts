import type { CleanText } from '../../base/clean-text.ts'
import { anchorsOf, linesWith, type LineSearch } from './find-lines.ts'
import { toLf } from './text-lines.ts'

const shownLinesMax = 12
const lineCharsMax = 200
/** Lines and words that occur more often say little about a place. */
const placesMax = 50
/** Number of lines and words of the wanted text by which it is found. */
const anchorsMax = 10

/** Numbered, for the model. Undefined if nothing is like the wanted text. */
export function nearestLines(search: LineSearch, wanted: string, clean: CleanText): string | undefined {
  const lines = toLf(wanted).replace(/\n$/, '').split('\n')
  const first = firstBySameLines(search, lines) ?? firstByWords(search, lines)
  if (first === undefined) return undefined
  const from = Math.max(0, first - 1)
  const to = Math.min(from + lines.length + 2, from + shownLinesMax, search.starts.length)
  return Array.from(
    { length: to - from },
    (_, index) => `${from + index + 1}\t${shorten(search.line(from + index), clean)}`,
  ).join('\n')
}

/** Each line that is the same votes for the place where the text would begin. */
function firstBySameLines(search: LineSearch, lines: readonly string[]): number | undefined {
  const votes = new Map<number, number>()
  for (const { index, content } of anchorsOf(lines, anchorsMax)) {
    if (!/\w/.test(content)) continue
    for (const place of linesWith(search, content, placesMax) ?? [])
      if (search.line(place).trim() === content)
        votes.set(place - index, (votes.get(place - index) ?? 0) + content.length)
  }
  const first = heaviest(votes, 0)
  return first && Math.max(0, first)
}

/** The line that has most of the words of the longest wanted line: at least half of them, by length. */
function firstByWords(search: LineSearch, lines: readonly string[]): number | undefined {
  const [longest] = anchorsOf(lines, 1)
  if (longest === undefined) return undefined
  const words = [...new Set(longest.content.slice(0, 1_000).match(/\w{2,}/g))].slice(0, anchorsMax)
  const votes = new Map<number, number>()
  for (const word of words)
    for (const place of linesWith(search, word, placesMax) ?? [])
      votes.set(place, (votes.get(place) ?? 0) + word.length)
  const place = heaviest(votes, words.join('').length / 2)
  return place === undefined ? undefined : Math.max(0, place - longest.index)
}

function heaviest(votes: ReadonlyMap<number, number>, min: number): number | undefined {
  let best: { readonly place: number; readonly weight: number } | undefined
  for (const [place, weight] of votes)
    if (weight >= min && (best === undefined || weight > best.weight)) best = { place, weight }
  return best?.place
}

function shorten(line: string, clean: CleanText): string {
  return line.length > lineCharsMax ? `${clean(line.slice(0, lineCharsMax), true)}…` : line
}
