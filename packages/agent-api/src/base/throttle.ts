/** The function takes the number of new items, and returns how many milliseconds to wait before the next. */
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

/** Passes on at most one value per interval, always the latest. */
export function latestEvery<T>(
  intervalMs: number,
  handle: (value: T) => void,
): { next(value: T): void; stop(): void } {
  let latest: { value: T } | undefined
  let timer: NodeJS.Timeout | undefined

  function handOn() {
    timer = undefined
    if (latest === undefined) return
    const { value } = latest
    latest = undefined
    handle(value)
    timer = setTimeout(handOn, intervalMs)
  }

  return {
    next(value) {
      latest = { value }
      if (timer === undefined) handOn()
    },
    stop: () => clearTimeout(timer),
  }
}
