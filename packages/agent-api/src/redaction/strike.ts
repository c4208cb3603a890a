import { foldCase } from './fold-case.ts'

/** Characters of a window that are hashed together. Two would make nearly every pair of letters the end of some needle. */
const blockLength = 3
const tableSize = 1 << 18

/**
 * A function that replaces every needle in a text, in upper and in lower case, the longest first where one begins with another. Needles
 * must be at least as long as `blockLength`.
 *
 * Not a regular expression: with thousands of needles that takes seconds for a text of a few megabytes. This one looks at every few
 * characters only (Wu and Manber's skip table), and where a needle may begin it finds the longest one by a binary search.
 */
export function createStrike(needles: Iterable<string>, mark: string): (text: string) => string {
  const sorted = [...new Set(Array.from(needles, foldCase))].toSorted(byCodeUnit)
  if (sorted.length === 0) return (text) => text
  const shorterOf = prefixLinks(sorted)
  const windowLength = sorted.reduce((shortest, needle) => Math.min(shortest, needle.length), Infinity)
  const skips = skipTable(sorted, windowLength)

  return (text) => {
    if (text.length < windowLength) return text
    const folded = foldCase(text)
    let struck = ''
    let kept = 0
    let end = windowLength - 1
    while (end < folded.length) {
      const skip = skips[blockAt(folded, end)] ?? 0
      if (skip > 0) {
        end += skip
        continue
      }
      const start = end - windowLength + 1
      const found = longestAt(sorted, shorterOf, folded, start)
      if (found === 0) {
        end += 1
        continue
      }
      struck += text.slice(kept, start) + mark
      kept = start + found
      end = kept + windowLength - 1
    }
    return kept === 0 ? text : struck + text.slice(kept)
  }
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** For each needle the longest other one that it begins with, or -1. */
function prefixLinks(sorted: readonly string[]): number[] {
  const links: number[] = []
  for (const [index, needle] of sorted.entries()) {
    let link = index - 1
    while (link >= 0 && !needle.startsWith(sorted[link] ?? '')) link = links[link] ?? -1
    links.push(link)
  }
  return links
}

/** How far the window may move when it ends in a block: to where that block next stands in the window of some needle. */
function skipTable(needles: readonly string[], windowLength: number): Uint8Array {
  const skipMax = Math.min(255, windowLength - blockLength + 1)
  const skips = new Uint8Array(tableSize).fill(skipMax)
  for (const needle of needles) {
    for (let end = blockLength - 1; end < windowLength; end++) {
      const block = blockAt(needle, end)
      skips[block] = Math.min(skips[block] ?? 0, windowLength - 1 - end)
    }
  }
  return skips
}

function blockAt(text: string, end: number): number {
  return (text.charCodeAt(end) ^ (text.charCodeAt(end - 1) << 6) ^ (text.charCodeAt(end - 2) << 12)) & (tableSize - 1)
}

/**
 * The length of the longest needle that stands at this place, or 0. It is the last one that sorts before the text there, or begins that one.
 * How much both ends of the search have in common with the text is known, and not compared again.
 */
function longestAt(sorted: readonly string[], shorterOf: readonly number[], text: string, start: number): number {
  let low = 0
  let high = sorted.length
  let [lowCommon, highCommon] = [0, 0]
  while (low < high) {
    const middle = (low + high) >>> 1
    const needle = sorted[middle] ?? ''
    const common = commonLength(needle, text, start, Math.min(lowCommon, highCommon))
    // Beyond the end of the text there is NaN, which makes the text the smaller one.
    if (common === needle.length || needle.charCodeAt(common) < text.charCodeAt(start + common)) {
      low = middle + 1
      lowCommon = common
    } else {
      high = middle
      highCommon = common
    }
  }
  let index = low - 1
  // What the last one has in common with the text, all that it begins with has, too.
  while (index >= 0 && (sorted[index] ?? '').length > lowCommon) index = shorterOf[index] ?? -1
  return sorted[index]?.length ?? 0
}

function commonLength(needle: string, text: string, start: number, known: number): number {
  let length = known
  while (length < needle.length && needle.charCodeAt(length) === text.charCodeAt(start + length)) length++
  return length
}
