/** Undefined if no candidate is close enough. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const distanceMax = ({ length }: string) => Math.max(1, Math.floor(Math.max(word.length, length) / 3))
  const near = candidates
    // A cheap lower bound: measuring the distance to a long name takes long.
    .filter((candidate) => Math.abs(word.length - candidate.length) <= distanceMax(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance < word.length && distance <= distanceMax(candidate))
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.candidate
}

/** The end of a message about an unknown word. Empty if no candidate is close. */
export function suggest(word: string, candidates: readonly string[], prefix = ''): string {
  const suggestion = didYouMean(word, candidates)
  return suggestion === undefined ? '' : `; did you mean '${prefix}${suggestion}'?`
}

/** Each is compared with all candidates. If more words are unknown, they were not just misspelled. */
const suggestionsMax = 20

/** Like `suggest`, for one of several unknown words. Empty if there are too many of them. */
export function suggestFor(word: string, unknown: readonly unknown[], candidates: readonly string[]): string {
  return unknown.length > suggestionsMax ? '' : suggest(word, candidates)
}

/** Insertions, deletions, substitutions and transpositions of neighbors count as 1 each. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + same,
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        distance = Math.min(distance, (before[column - 2] ?? 0) + 1)
      next.push(distance)
    }
    before = last
    last = next
  }
  return last[b.length] ?? 0
}
