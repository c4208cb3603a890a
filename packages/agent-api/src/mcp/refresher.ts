/** Runs a refresh after changes: debounced, and never twice at once. */
export interface Refresher {
  changed(): void
  stop(): void
}

export function createRefresher(waitMs: number, refresh: () => Promise<void>): Refresher {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isStopped = false

  async function run() {
    isRunning = true
    timer = undefined
    await refresh().finally(() => {
      isRunning = false
      if (changedMeanwhile) changed()
    })
  }

  let changedMeanwhile = false
  function changed() {
    changedMeanwhile = isRunning
    // The first change of a burst sets the timer. If each change reset it, an endless burst would delay the refresh forever.
    if (isStopped || isRunning || timer !== undefined) return
    timer = setTimeout(() => void run(), waitMs).unref()
  }

  return {
    changed,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
