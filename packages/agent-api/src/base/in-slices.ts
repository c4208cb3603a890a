/** All slices of one turn of the event loop together: short enough that nobody notices. */
const sliceMs = 8

/** A list of so many items begins in a turn of its own: it may have taken long to get here. */
export const longList = 50

/** The work on each item of a list. Everything else gets its turn every few milliseconds, and jobs side by side share them. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = []
  if (items.length >= longList) await nextTurn()
  for (const item of items) {
    if (isSliceOver()) await nextTurn()
    results.push(map(item, results.length))
  }
  return results
}

/** When the slice of this turn of the event loop began. */
let beganAt: number | undefined

export function isSliceOver(): boolean {
  const now = performance.now()
  if (beganAt === undefined) {
    beganAt = now
    setImmediate(() => (beganAt = undefined))
  }
  return now - beganAt >= sliceMs
}

let turns = Promise.resolve()

/** Waiting jobs go on one by one, each in its own turn of the event loop. */
export function nextTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}
