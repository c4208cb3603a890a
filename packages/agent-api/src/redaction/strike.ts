/** Number of characters of a window that are hashed together. With two, nearly every pair of letters would end some needle. */
const blockLength = 3
const tableSize = 1 << 18

/**
 * Returns a function that replaces every needle in a text. It ignores case and prefers the longest match. Needles must have at least
 * `blockLength` characters. Not a regular expression: with thousands of needles, one takes seconds for a few megabytes of text. This uses
 * Wu and Manber's skip table, and a binary search for the longest needle at a position.
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

/** For each needle, the index of the longest other needle that is its prefix, or -1. */
function prefixLinks(sorted: readonly string[]): number[] {
  const links: number[] = []
  for (const [index, needle] of sorted.entries()) {
    let link = index - 1
    while (link >= 0 && !needle.startsWith(sorted[link] ?? '')) link = links[link] ?? -1
    links.push(link)
  }
  return links
}

/** For each block, the distance that the window may move when it ends in that block. */
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
  return (
    (text.charCodeAt(end) ^ (text.charCodeAt(end - 1) << 6) ^ (text.charCodeAt(end - 2) << 12)) &
    (tableSize - 1)
  )
}

/**
 * Returns the length of the longest needle at this position, or 0. That needle is the last one that sorts before the text, or a prefix of
 * it. The search skips the characters that both of its bounds have in common with the text.
 */
function longestAt(
  sorted: readonly string[],
  shorterOf: readonly number[],
  text: string,
  start: number,
): number {
  let low = 0
  let high = sorted.length
  let [lowCommon, highCommon] = [0, 0]
  while (low < high) {
    const middle = (low + high) >>> 1
    const needle = sorted[middle] ?? ''
    const common = commonLength(needle, text, start, Math.min(lowCommon, highCommon))
    // Past the end of the text, `charCodeAt` is NaN, so the text sorts first.
    if (common === needle.length || needle.charCodeAt(common) < text.charCodeAt(start + common)) {
      low = middle + 1
      lowCommon = common
    } else {
      high = middle
      highCommon = common
    }
  }
  let index = low - 1
  // Every prefix of that needle has the same beginning in common with the text.
  while (index >= 0 && (sorted[index] ?? '').length > lowCommon) index = shorterOf[index] ?? -1
  return sorted[index]?.length ?? 0
}

function commonLength(needle: string, text: string, start: number, known: number): number {
  let length = known
  while (length < needle.length && needle.charCodeAt(length) === text.charCodeAt(start + length)) length++
  return length
}

/** Folds case without changing the length: an index into the result is valid for the original. */
export function foldCase(text: string): string {
  // U+0130 is the only letter that grows, and final sigma the only one whose lower case depends on its position.
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3')
}

/** Returns a function that measures the longest end of a text that is a proper prefix of some needle. */
export function createOpenEnd(needles: Iterable<string>): (text: string) => number {
  // Sorted by code unit, needles with a common prefix are neighbors.
  const sorted = [...new Set(Array.from(needles, foldCase))].toSorted((a, b) => (a < b ? -1 : 1))
  const lengthMax = sorted.reduce((longest, { length }) => Math.max(longest, length), 0)
  return (text) => {
    const tail = foldCase(text.slice(Math.max(0, text.length - lengthMax + 1)))
    for (let start = 0; start < tail.length; start++) {
      const end = tail.slice(start)
      const at = firstFrom(sorted, end)
      const next = sorted[at] === end ? sorted[at + 1] : sorted[at]
      if (next?.startsWith(end) === true) return end.length
    }
    return 0
  }
}

function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
