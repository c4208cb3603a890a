/** Returns a function that takes the number of new items and returns how many milliseconds to wait before the next. */
export function createThrottle(perSecondMax: number): (count: number) => number {
  let total = 0
  let secondStart = performance.now()
  return (count) => {
    const now = performance.now()
    if (now - secondStart >= 1_000) {
      secondStart = now
      total = 0
    }
    total += count
    if (total < perSecondMax) return 0
    total = 0
    return 1_000 - (now - secondStart)
  }
}
