import { foldCase } from './fold-case.ts'

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

/** Index of the first needle that is not less than `text`. */
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
