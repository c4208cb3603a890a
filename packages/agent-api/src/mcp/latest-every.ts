/** Hands on what comes at most once per interval, always the latest: what comes in between is dropped. */
export function latestEvery<T>(intervalMs: number, handle: (value: T) => void): { next(value: T): void; stop(): void } {
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
