/** A function that says how long the end of a text is that some needle begins with and goes beyond; the longest such end counts. */
export function createOpenEnd(needles: Iterable<string>): (text: string) => number {
  const all = [...needles]
  const lengthMax = all.reduce((longest, { length }) => Math.max(longest, length), 0)
  const byFirst = Map.groupBy(all, (needle) => needle.charCodeAt(0))
  return (text) => {
    for (let start = Math.max(0, text.length - lengthMax + 1); start < text.length; start++) {
      const length = text.length - start
      const end = text.slice(start)
      const isOpen = byFirst.get(text.charCodeAt(start))?.some((needle) => needle.length > length && needle.startsWith(end))
      if (isOpen === true) return length
    }
    return 0
  }
}
