/** Runs work with the same key one at a time, in the order in which it was added. */
export interface KeyedQueue {
  add<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Adds work that `stop` can end: it aborts the signal, and the work decides how to react. */
  addStoppable<T>(key: string, work: (stop: AbortSignal) => Promise<T>): Promise<T>
  /** True while stoppable work with this key runs or waits. */
  isStoppable(key: string): boolean
  /** Stops the stoppable work that was added so far. Returns false if there was nothing to stop. */
  stop(key: string, reason: Error): boolean
  /** Stops all stoppable work, including work that is added later. */
  close(reasonFor: (key: string) => Error): void
  /** Settles when all work that was added so far has ended. Never rejects. */
  settled(): Promise<void>
}

/** The work of one key that has not ended. */
interface Lane {
  readonly last: Promise<unknown>
  readonly stoppable: number
  readonly stopper: AbortController
}

export function createKeyedQueue(): KeyedQueue {
  const lanes = new Map<string, Lane>()
  let closedFor: ((key: string) => Error) | undefined

  function add<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = laneOf(key)
    const done = lane.last.then(work)
    const last = done.catch(() => undefined)
    lanes.set(key, { ...lane, last })
    void last.then(() => {
      if (lanes.get(key)?.last === last) lanes.delete(key)
    })
    return done
  }

  function laneOf(key: string): Lane {
    return lanes.get(key) ?? { last: Promise.resolve(), stoppable: 0, stopper: new AbortController() }
  }

  function stop(key: string, reason: Error): boolean {
    const lane = laneOf(key)
    if (lane.stoppable === 0) return false
    lane.stopper.abort(reason)
    lanes.set(key, { ...lane, stopper: new AbortController() })
    return true
  }

  return {
    add,
    addStoppable(key, work) {
      const lane = laneOf(key)
      const { signal } = lane.stopper
      lanes.set(key, { ...lane, stoppable: lane.stoppable + 1 })
      return add(key, async () => {
        try {
          return await work(closedFor === undefined ? signal : AbortSignal.abort(closedFor(key)))
        } finally {
          const now = laneOf(key)
          lanes.set(key, { ...now, stoppable: now.stoppable - 1 })
        }
      })
    },
    isStoppable: (key) => laneOf(key).stoppable > 0,
    stop,
    close(reasonFor) {
      closedFor = reasonFor
      for (const key of lanes.keys()) stop(key, reasonFor(key))
    },
    async settled() {
      await Promise.all([...lanes.values()].map(({ last }) => last))
    },
  }
}
