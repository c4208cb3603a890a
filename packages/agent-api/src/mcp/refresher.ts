/** Runs something again after each change, not more often than it makes sense and never twice at once. */
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
    // The first of a storm sets the time; were it the last, a storm without end would put it off for ever.
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
