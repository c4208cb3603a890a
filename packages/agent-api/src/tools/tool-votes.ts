import type { PastSearch } from '../messages/tool.ts'
import { searchTermsOf, stem } from './search-terms.ts'
import { toolKey } from './select-tools.ts'

export type ToolVotes = (query: string) => ReadonlyMap<string, number>

const votersMax = 10

/** Past searches vote for their tools: the more alike they are to the query (cosine, rare words count more), the stronger the vote. */
export function createToolVotes(past: readonly PastSearch[]): ToolVotes {
  const termsOfPast = past.map(({ text }) => stemsOf(text))
  const places = Map.groupBy(
    termsOfPast.flatMap((terms, index) => terms.map((term) => ({ term, index }))),
    ({ term }) => term,
  )
  const weightOf = (term: string) => Math.log(1 + past.length / (places.get(term)?.length ?? 1)) ** 2
  const lengthOf = (terms: readonly string[]) =>
    Math.sqrt(terms.reduce((sum, term) => sum + weightOf(term), 0))
  const lengths = termsOfPast.map(lengthOf)
  return (query) => {
    const terms = stemsOf(query)
    const length = lengthOf(terms)
    const shared = new Map<number, number>()
    for (const term of terms)
      for (const { index } of places.get(term) ?? []) addTo(shared, index, weightOf(term))
    const voters = [...shared]
      .map(([index, weight]) => ({ index, likeness: weight / (length * (lengths[index] ?? 1)) }))
      .toSorted((a, b) => b.likeness - a.likeness || a.index - b.index)
      .slice(0, votersMax)
    const votes = new Map<string, number>()
    for (const { index, likeness } of voters)
      for (const key of new Set(past[index]?.tools.map(toolKey))) addTo(votes, key, likeness)
    return votes
  }
}

export function addTo<K>(sums: Map<K, number>, key: K, value: number): void {
  sums.set(key, (sums.get(key) ?? 0) + value)
}

function stemsOf(text: string): string[] {
  return [...new Set(searchTermsOf(text).map(stem))]
}
