/** Runs a refresh after changes: debounced, and never twice at once. */
export interface Refresher {
  changed(): void
  /** Settles when every change so far has been refreshed. Does not wait for the debounce. */
  caughtUp(): Promise<void>
  stop(): void
}

export function createRefresher(waitMs: number, refresh: () => Promise<void>): Refresher {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let hasChangedMeanwhile = false
  let isStopped = false

  function run(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running = refresh().finally(() => {
      running = undefined
      if (!hasChangedMeanwhile) return
      hasChangedMeanwhile = false
      changed()
    })
    return running
  }

  function changed() {
    if (running !== undefined) hasChangedMeanwhile = true
    // The first change of a burst sets the timer. If each change reset it, an endless burst would delay the refresh forever.
    if (isStopped || running !== undefined || timer !== undefined) return
    timer = setTimeout(() => void run(), waitMs).unref()
  }

  return {
    changed,
    async caughtUp() {
      const isDue = timer !== undefined || hasChangedMeanwhile
      await running
      if (isDue && timer !== undefined) await run()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      timer = undefined
    },
  }
}
