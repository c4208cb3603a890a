/** A function that says how long the end of a text is that some needle begins with and goes beyond; the longest such end counts. */
export function createOpenEnd(needles: Iterable<string>): (text: string) => number {
  // In the order of their code units, those that begin alike stand together.
  const sorted = [...new Set(needles)].toSorted((a, b) => (a < b ? -1 : 1))
  const lengthMax = sorted.reduce((longest, { length }) => Math.max(longest, length), 0)
  return (text) => {
    for (let start = Math.max(0, text.length - lengthMax + 1); start < text.length; start++) {
      const end = text.slice(start)
      const at = firstFrom(sorted, end)
      const next = sorted[at] === end ? sorted[at + 1] : sorted[at]
      if (next?.startsWith(end) === true) return end.length
    }
    return 0
  }
}

/** Where the first one stands that is not less. */
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
