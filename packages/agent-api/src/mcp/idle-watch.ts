interface IdleWatchOptions {
  /** With `Infinity`, it never rests. */
  readonly idleMs: number
  /** True if the connection is needed although nobody uses it now. */
  readonly isKept: () => boolean
  readonly rest: () => void
}

/** Node fires timers with a longer delay at once. */
const delayMsMax = 2 ** 31 - 1

/** All connections of the process share one timer. */
const started = new Set<{ readonly restsAt: (now: number) => number; readonly rest: () => void }>()
let timer: NodeJS.Timeout | undefined

/** Calls `rest` once a connection was unused for its time, between `start` and `stop`. */
export function createIdleWatch({ idleMs, isKept, rest }: IdleWatchOptions) {
  let uses = 0
  let usedAt = 0
  const entry = { restsAt: (now: number) => (uses > 0 || isKept() ? now : usedAt) + idleMs, rest }
  return {
    start(): void {
      usedAt = performance.now()
      if (idleMs === Infinity) return
      started.add(entry)
      wait()
    },
    stop(): void {
      started.delete(entry)
      wait()
    },
    /** The connection is in use until the result is disposed. */
    hold(): Disposable {
      uses++
      return {
        [Symbol.dispose]() {
          uses--
          usedAt = performance.now()
        },
      }
    },
  }
}

function wait(): void {
  clearTimeout(timer)
  if (started.size === 0) return
  const now = performance.now()
  const next = Math.min(...[...started].map(({ restsAt }) => restsAt(now)))
  timer = setTimeout(look, Math.min(Math.max(0, Math.ceil(next - now)), delayMsMax)).unref()
}

/** The timer may be early, because use moves the end of a connection. */
function look(): void {
  const now = performance.now()
  for (const entry of started) {
    if (entry.restsAt(now) > now) continue
    started.delete(entry)
    entry.rest()
  }
  wait()
}
