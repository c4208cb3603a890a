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
