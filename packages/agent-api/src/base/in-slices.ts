/** Time that all slices of one event-loop turn may take together. Too short for a person to notice. */
const sliceMs = 8

/** A list of at least this length starts in a new turn of the event loop, because reading it may already have used up this one. */
export const longList = 50

/** Yields every few milliseconds. Concurrent jobs share each slice. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = []
  if (items.length >= longList) await nextTurn()
  for (const item of items) {
    if (isSliceOver()) await nextTurn()
    results.push(map(item, results.length))
  }
  return results
}

/** Start of the current slice, or undefined if no slice has begun in this turn of the event loop. */
let beganAt: number | undefined

export function isSliceOver(): boolean {
  const now = performance.now()
  if (beganAt === undefined) {
    beganAt = now
    setImmediate(() => (beganAt = undefined))
  }
  return now - beganAt >= sliceMs
}

export async function giveWay(): Promise<void> {
  if (isSliceOver()) await nextTurn()
}

let turns = Promise.resolve()

/** Waits for a later turn of the event loop. Waiting jobs continue one per turn, in order. */
export function nextTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setImmediate(resolve)))
  return turns
}
